"use strict";
// Lays the overlay over the original behind a slider; without this they stand side by side.
(function () {
  for (const compare of document.querySelectorAll(".compare")) {
    const over = compare.querySelector(".over");
    if (!over) continue;
    const label = document.createElement("label");
    label.className = "slider";
    label.append("Original to digitized");
    const input = document.createElement("input");
    input.type = "range";
    input.min = "0";
    input.max = "100";
    input.value = "50";
    const move = () => {
      compare.style.setProperty("--cut", 100 - input.value + "%");
      input.setAttribute("aria-valuetext", input.value + " % digitized");
    };
    input.addEventListener("input", move);
    label.append(input);
    compare.append(label);
    compare.classList.add("sliding");
    move();
  }
})();
