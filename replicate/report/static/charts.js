"use strict";
// Makes the drawn charts explorable: a cursor that reads values off, zoom, a log axis, series on and off, the numbers
// as CSV. The page is complete without this; the drawings stay for print and for screen readers.
(function () {
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const VALUE = Object.fromEntries([...DIGITS].map((digit, i) => [digit, i]));
  const HEIGHT = 0.6; // of the plot's width
  const STEP = 1; // pixels that an arrow key moves the cursor at least
  const LEAP = 40; // and with shift, or a page key
  const ZOOM = 0.5; // the share of what is seen that is left after zooming in once

  const HINT = "Point at the curves, or use the arrow keys, to read values off; drag to zoom.";

  // ---- numbers --------------------------------------------------------------------------------------------------

  // Return a column of numbers as packing.py packs it: null where a value is missing.
  function unpack([exponent, log, text, gaps]) {
    const scale = 10 ** Math.abs(exponent);
    const values = [];
    let sum = 0, rest = 0, weight = 1;
    for (const character of text) {
      const digit = VALUE[character];
      rest += (digit % 32) * weight;
      weight *= 32;
      if (digit >= 32) continue;
      sum += rest % 2 ? -(rest - 1) / 2 : rest / 2;
      const value = exponent < 0 ? sum / scale : sum * scale;
      values.push(log ? Number((10 ** value).toPrecision(7)) : value);
      rest = 0;
      weight = 1;
    }
    for (const gap of gaps || []) values[gap] = null;
    return values;
  }

  // Return a number for people, as scales.py writes it: thousands apart, a true minus sign.
  function format(value, digits) {
    const size = Math.abs(value);
    if (size && (size >= 1e7 || size < 1e-4)) {
      return Number(value.toPrecision(digits)).toExponential().replace("+", "").replaceAll("-", "\u2212");
    }
    const decimals = size ? Math.max(0, digits - 1 - Math.floor(Math.log10(size))) : 0;
    return value.toLocaleString("en-US", { maximumFractionDigits: decimals }).replace("-", "\u2212");
  }

  // Return a decimal year as a day, ISO 8601, as scales.py does.
  function day(year) {
    const whole = Math.floor(year);
    const [first, next] = [whole, whole + 1].map((y) => Date.UTC(y, 0, 1));
    return new Date(first + Math.round(((year - whole) * (next - first)) / 864e5) * 864e5).toISOString().slice(0, 10);
  }

  // Return a value of an axis for people: a day, the name of a category, or a number.
  function named(axis, value) {
    if (axis.dates && value >= 1000 && value < 9999) return day(value);
    return (axis.marks || []).find(([v]) => v === value)?.[1] ?? format(value, 4);
  }

  const raised = (power) => "10" + [...String(power)].map((c) => (c === "-" ? "\u207b" : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[c])).join("");

  // Return the value of a strand at x, between its neighbours; null outside it and in its gaps.
  function reading([xs, ys], x) {
    let low = 0, high = xs.length - 1;
    if (!(x >= xs[low] && x <= xs[high])) return null;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (xs[middle] <= x) low = middle; else high = middle;
    }
    if (x === xs[low]) return ys[low];
    if (ys[low] === null || ys[high] === null) return x === xs[high] ? ys[high] : null;
    return ys[low] + ((ys[high] - ys[low]) * (x - xs[low])) / (xs[high] - xs[low]);
  }

  // ---- elements -------------------------------------------------------------------------------------------------

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const button = (text, attributes = {}) => make("button", { type: "button", ...attributes }, text);

  function swatch() {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    line.setAttribute("viewBox", "0 0 26 8");
    line.setAttribute("aria-hidden", "true");
    line.setAttribute("class", "swatch");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", "M0 4H26");
    path.setAttribute("class", "line");
    line.append(path);
    return line;
  }

  const styled = (element, name) => getComputedStyle(element).getPropertyValue(name).trim();
  const flip = (toggle) => toggle.setAttribute("aria-pressed", toggle.getAttribute("aria-pressed") !== "true");
  const pressed = (toggle) => toggle.getAttribute("aria-pressed") === "true";

  // ---- one chart ------------------------------------------------------------------------------------------------

  // Turn a figure's drawing into a chart that can be explored.
  function explore(figure, id, chart, column, hint) {
    const strands = chart.series.map((s) => s.strands.map(([x, y]) => [column(x), column(y)]));
    const tables = chart.series.flatMap((s, i) => [
      ...strands[i],
      ...(s.band ? [[column(s.band[0]), column(s.band[1]), column(s.band[2])]] : []),
    ]);
    const joined = uPlot.join(tables);
    const lines = joined.slice(1);
    const positive = lines.some((line) => line.some((y) => y > 0));
    const places = joined[0];
    let plot = null, log = chart.y.log, whole = true, at = null;

    const keys = chart.series.map((s) =>
      button("", { class: `key-series ${s.css}`, "aria-pressed": "true", title: `Show or hide ${s.name}` }));
    keys.forEach((key, i) => key.append(swatch(), chart.series[i].name));
    const stage = make("div", {
      class: "plot", tabindex: "0", role: "application", "aria-roledescription": "chart",
      "aria-label": `${chart.title}. Left and right arrows move the cursor, plus and minus zoom, 0 shows all.`,
    });
    const readout = make("output", { class: "readout", "aria-live": "polite" }, hint);
    const tools = {
      log: button("Log axis", { "aria-pressed": String(log) }),
      closer: button("Zoom in"), wider: button("Zoom out", { disabled: "" }), all: button("Whole run", { disabled: "" }),
      csv: button("Download CSV"),
    };
    if (!positive) tools.log.disabled = true;
    const called = `${chart.title}: `;
    const live = make("div", { class: "live" },
      make("div", { class: "keys", role: "group", "aria-label": called + "series" }, ...keys),
      make("p", { class: "axis-name" }, chart.y.label),
      stage,
      make("p", { class: "axis-name x" }, chart.x.label),
      readout,
      make("div", { class: "tools", role: "group", "aria-label": called + "tools" }, ...Object.values(tools)));

    // -- drawing

    const xRange = (u, low, high) => {
      whole = low === null || (low <= places[0] && high >= places[places.length - 1]);
      return whole ? [chart.x.low, chart.x.high] : [low, high];
    };
    const yRange = (u, low, high) => {
      const drawable = !log || chart.y.low > 0; // whether the axis as drawn can be had on this scale
      if (low === null) return drawable ? [chart.y.low, chart.y.high] : [1, 10];
      if (whole && drawable) return [chart.y.low, chart.y.high];
      return log ? uPlot.rangeLog(low, high, 10, false) : uPlot.rangeNum(low, high, 0.06, true);
    };
    const linear = (u, splits, axis, space, step) => {
      if (Math.max(...splits.map(Math.abs)) >= 1e7 || step < 1e-5) return splits.map((v) => format(v, 3));
      const decimals = (String(Number(step.toPrecision(6))).split(".")[1] || "").length;
      const places = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      return splits.map((v) => v.toLocaleString("en-US", places).replace("-", "\u2212"));
    };
    const long = (scale) => scale.max >= 100 * scale.min;
    const decade = (v) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9;
    const powers = (name) => (u, splits) =>
      splits.map((v) => (v === null ? "" : !long(u.scales[name]) ? format(v, 2) : decade(v) ? raised(Math.round(Math.log10(v))) : ""));
    const decades = (name) => (u, splits) => splits.map((v) => (!long(u.scales[name]) || decade(v) ? v : null));

    function options() {
      const [soft, rule] = [styled(stage, "--soft"), styled(stage, "--rule")];
      const font = `12px ${styled(stage, "font-family")}`;
      const own = (marks) => marks && {
        splits: (u, i, low, high) => marks.map(([v]) => v).filter((v) => v >= low && v <= high),
        values: (u, splits) => splits.map((v) => marks.find(([at]) => at === v)[1]),
      };
      const axis = (name, isLog) => ({
        stroke: soft, font, gap: 4, values: isLog ? powers(name) : linear,
        grid: { stroke: rule, width: 1, ...(isLog && { filter: decades(name) }) }, ticks: { stroke: rule, width: 1, size: 4 },
      });
      const series = [{}], bands = [];
      chart.series.forEach((s, i) => {
        const tone = styled(keys[i], "--tone");
        const dash = (getComputedStyle(keys[i].querySelector(".line")).strokeDasharray.match(/[\d.]+/g) || []).map(Number);
        const line = { stroke: tone, dash, width: s.strands.length > 1 ? 1 : 1.6, show: pressed(keys[i]) };
        strands[i].forEach(([, ys]) => {
          const alone = ys.filter((y) => y !== null).length === 1; // a line of one reading would not be seen
          series.push({ ...line, points: { show: alone, size: 6, fill: tone, stroke: tone } });
        });
        if (!s.band) return;
        const edge = { ...line, width: 0, stroke: undefined, points: { show: false } };
        series.push(edge, edge);
        bands.push({ series: [series.length - 1, series.length - 2], fill: tone + "29" });
      });
      return {
        width: stage.clientWidth, height: Math.round(stage.clientWidth * HEIGHT), series, bands,
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
        scales: {
          x: { time: false, distr: chart.x.log ? 3 : 1, range: xRange },
          y: { distr: log ? 3 : 1, range: yRange },
        },
        axes: [
          { ...axis("x", chart.x.log), size: 28, space: 70, ...own(chart.x.marks), grid: { show: false }, border: { show: true, stroke: soft, width: 1 } },
          { ...axis("y", log), size: 52 },
        ],
        hooks: { setCursor: [read], setScale: [enable] },
      };
    }

    function draw(drawing) {
      const seen = plot && !whole ? { min: plot.scales.x.min, max: plot.scales.x.max } : null;
      if (plot) plot.destroy();
      const drawn = log ? lines.map((line) => line.map((y) => (y > 0 ? y : y === undefined ? y : null))) : lines;
      plot = new uPlot(drawing, [places, ...drawn], stage);
      if (seen) plot.setScale("x", seen);
      if (at !== null) point(at);
    }

    function enable(u, scale) {
      if (scale === "x") tools.wider.disabled = tools.all.disabled = whole;
    }

    // -- reading off

    function read(u) {
      if (u.cursor.left === null || u.cursor.left < 0) {
        if (document.activeElement !== stage) readout.textContent = hint;
        return;
      }
      at = u.cursor.idx === null ? u.posToVal(u.cursor.left, "x") : places[u.cursor.idx];
      const values = chart.series.map((s, i) => {
        const known = strands[i].map((strand) => reading(strand, at)).filter((v) => v !== null).sort((a, b) => a - b);
        if (!pressed(keys[i]) || !known.length) return null;
        const ends = [format(known[0], 4), format(known[known.length - 1], 4)];
        return make("span", { class: `value-of ${s.css}` }, make("b", {}, s.name), ` ${ends[0] === ends[1] ? ends[0] : ends.join(" to ")}`);
      });
      readout.replaceChildren(make("span", {}, `${chart.x.label} ${named(chart.x, at)}: `));
      values.filter(Boolean).forEach((value, i) => readout.append(i ? ", " : "", value));
    }

    const point = (x) => plot.setCursor({ left: plot.valToPos(x, "x"), top: 1 });

    // Move the cursor to the next reading that is at least so many pixels away.
    function walk(direction, pixels) {
      const [low, high] = [plot.scales.x.min, plot.scales.x.max];
      const inside = places.filter((x) => x >= low && x <= high);
      if (!inside.length) return;
      const from = at === null || at < low || at > high ? null : plot.valToPos(at, "x");
      if (from === null && pixels < Infinity) return point(inside[direction > 0 ? 0 : inside.length - 1]);
      const ahead = inside.filter((x) => (plot.valToPos(x, "x") - from) * direction >= pixels);
      point(ahead.length ? ahead[direction > 0 ? 0 : ahead.length - 1] : inside[direction > 0 ? inside.length - 1 : 0]);
    }

    function zoom(factor) {
      const forward = chart.x.log ? Math.log : (v) => v, back = chart.x.log ? Math.exp : (v) => v;
      const [low, high] = [forward(plot.scales.x.min), forward(plot.scales.x.max)];
      const [first, last] = [forward(chart.x.low), forward(chart.x.high)];
      const centre = at === null ? (low + high) / 2 : Math.min(Math.max(forward(at), low), high);
      const size = (high - low) * factor;
      if (size >= last - first) return all();
      const start = Math.min(Math.max(centre - size / 2, first), last - size);
      plot.setScale("x", { min: back(start), max: back(start + size) });
      if (at !== null) point(at);
    }

    const all = () => {
      plot.setScale("x", { min: places[0], max: places[places.length - 1] });
      if (at !== null) point(at);
    };

    const KEYS = {
      ArrowLeft: (e) => walk(-1, e.shiftKey ? LEAP : STEP), ArrowRight: (e) => walk(1, e.shiftKey ? LEAP : STEP),
      PageUp: () => walk(-1, LEAP), PageDown: () => walk(1, LEAP),
      Home: () => walk(-1, Infinity), End: () => walk(1, Infinity),
      "+": () => zoom(ZOOM), "=": () => zoom(ZOOM), "-": () => zoom(1 / ZOOM), 0: all, Escape: all,
    };
    stage.addEventListener("keydown", (event) => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? null : KEYS[event.key];
      if (!act) return;
      event.preventDefault();
      act(event);
    });

    // -- the controls

    keys.forEach((key, i) => key.addEventListener("click", () => {
      flip(key);
      let next = 1;
      chart.series.forEach((s, j) => {
        const count = s.strands.length + (s.band ? 2 : 0);
        for (let k = next; k < next + count; k += 1) if (j === i) plot.setSeries(k, { show: pressed(key) });
        next += count;
      });
      if (at !== null) read(plot);
    }));
    tools.log.addEventListener("click", () => {
      log = !log;
      flip(tools.log);
      draw(options());
    });
    tools.closer.addEventListener("click", () => zoom(ZOOM));
    tools.wider.addEventListener("click", () => zoom(1 / ZOOM));
    tools.all.addEventListener("click", all);
    tools.csv.addEventListener("click", () => save(`${document.body.dataset.name}.${id}.csv`, table(chart, strands)));

    figure.querySelector("svg.chart").after(live);
    figure.classList.add("explored");
    new ResizeObserver(() => {
      if (plot && stage.clientWidth && stage.clientWidth !== plot.width) plot.setSize({ width: stage.clientWidth, height: Math.round(stage.clientWidth * HEIGHT) });
    }).observe(stage);
    return { options, draw };
  }

  // ---- the numbers as a file --------------------------------------------------------------------------------------

  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  // Return the readings of all series, a row each, with the seed where there are seeds.
  function table(chart, strands) {
    const seeded = chart.series.some((s) => s.seeds.length);
    const rows = [seeded ? "series,seed,x,y" : "series,x,y"];
    chart.series.forEach((s, i) => strands[i].forEach(([xs, ys], k) => {
      const head = quoted(s.name) + (seeded ? `,${s.seeds[k] ?? ""}` : "");
      xs.forEach((x, n) => rows.push(`${head},${x},${ys[n] ?? ""}`));
    }));
    return rows.join("\n") + "\n";
  }

  function save(name, text) {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // ---- all charts -------------------------------------------------------------------------------------------------

  const data = JSON.parse(document.getElementById("chart-data").textContent);
  const unpacked = [];
  const column = (i) => (unpacked[i] ??= unpack(data.columns[i]));
  const charts = Object.entries(data.charts).map(([id, chart], i) =>
    explore(document.getElementById(id).closest("figure"), id, chart, column, i ? "" : HINT));

  // Draw every chart; the page is measured for all of them first, for each measure after a change costs a layout.
  function draw() {
    charts.map((chart) => chart.options()).forEach((options, i) => charts[i].draw(options));
  }

  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
