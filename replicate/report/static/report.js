"use strict";
// The page is complete without this: it lays the overlay over the original behind a slider, and sorts the index.
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

  const key = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.sort === undefined ? cell.textContent.trim() : cell.dataset.sort;
    return text !== "" && isFinite(text) ? Number(text) : text.toLowerCase();
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const falling = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        const rows = [...table.tBodies[0].rows].sort((a, b) => {
          const [p, q] = [key(a, column), key(b, column)];
          return (p < q ? -1 : p > q ? 1 : 0) * (falling ? -1 : 1);
        });
        table.tBodies[0].append(...rows);
      });
    });
  }
})();
