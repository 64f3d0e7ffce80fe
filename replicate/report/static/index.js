"use strict";
// Makes the list of audits sortable by any of its columns.
(function () {
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
