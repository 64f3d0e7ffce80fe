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

  const SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
  const raised = (exponent) => "10" + [...String(exponent)].map((c) => SUPERSCRIPTS[c] ?? "\u207b").join("");

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

  // ---- ticks ----------------------------------------------------------------------------------------------------

  function linear(u, splits, axis, space, step) {
    if (Math.max(...splits.map(Math.abs)) >= 1e7 || step < 1e-5) return splits.map((v) => format(v, 3));
    const decimals = (String(Number(step.toPrecision(6))).split(".")[1] || "").length;
    const places = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return splits.map((v) => v.toLocaleString("en-US", places).replace("-", "\u2212"));
  }

  const long = (scale) => scale.max >= 100 * scale.min;
  const decade = (v) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9;
  const power = (v) => (decade(v) ? raised(Math.round(Math.log10(v))) : "");
  const powers = (name) => (u, splits) =>
    splits.map((v) => (v === null ? "" : long(u.scales[name]) ? power(v) : format(v, 2)));
  const decades = (name) => (u, splits) => splits.map((v) => (!long(u.scales[name]) || decade(v) ? v : null));

  // Return the ticks of an axis that has its own: dates and categories.
  const own = (marks) => ({
    splits: (u, axis, low, high) => marks.map(([v]) => v).filter((v) => v >= low && v <= high),
    values: (u, splits) => splits.map((v) => marks.find(([at]) => at === v)[1]),
  });

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

  // A figure's drawing as a chart that can be explored.
  class Explorer {
    constructor(figure, id, chart, column, hint) {
      Object.assign(this, { id, chart, hint, log: chart.y.log, whole: true, at: null, plot: null });
      this.strands = chart.series.map((s) => s.strands.map(([x, y]) => [column(x), column(y)]));
      const bands = chart.series.map((s) => (s.band ? [s.band.map(column)] : []));
      [this.places, ...this.lines] = uPlot.join(chart.series.flatMap((_, i) => [...this.strands[i], ...bands[i]]));
      this.build();
      this.listen();
      figure.querySelector("svg.chart").after(this.live);
      figure.classList.add("explored");
    }

    // Make the elements: names to switch series on and off, the plot, what is read off it, and the tools.
    build() {
      const { chart } = this;
      this.keys = chart.series.map((s) =>
        button("", { class: `key-series ${s.css}`, "aria-pressed": "true", title: `Show or hide ${s.name}` }));
      this.keys.forEach((key, i) => key.append(swatch(), chart.series[i].name));
      this.stage = make("div", {
        class: "plot", tabindex: "0", role: "application", "aria-roledescription": "chart",
        "aria-label": `${chart.title}. Left and right arrows move the cursor, plus and minus zoom, 0 shows all.`,
      });
      this.readout = make("output", { class: "readout", "aria-live": "polite" }, this.hint);
      this.tools = {
        log: button("Log axis", { "aria-pressed": String(this.log) }),
        closer: button("Zoom in"),
        wider: button("Zoom out", { disabled: "" }),
        all: button("Whole run", { disabled: "" }),
        csv: button("Download CSV"),
      };
      this.tools.log.disabled = !this.lines.some((line) => line.some((y) => y > 0));
      const group = (name, ...children) =>
        make("div", { class: name, role: "group", "aria-label": `${chart.title}: ${name}` }, ...children);
      this.live = make("div", { class: "live" },
        group("keys", ...this.keys),
        make("p", { class: "axis-name" }, chart.y.label),
        this.stage,
        make("p", { class: "axis-name x" }, chart.x.label),
        this.readout,
        group("tools", ...Object.values(this.tools)));
    }

    listen() {
      const { stage, tools } = this;
      const press = {
        ArrowLeft: (e) => this.walk(-1, e.shiftKey ? LEAP : STEP),
        ArrowRight: (e) => this.walk(1, e.shiftKey ? LEAP : STEP),
        PageUp: () => this.walk(-1, LEAP),
        PageDown: () => this.walk(1, LEAP),
        Home: () => this.walk(-1, Infinity),
        End: () => this.walk(1, Infinity),
        "+": () => this.zoom(ZOOM),
        "=": () => this.zoom(ZOOM),
        "-": () => this.zoom(1 / ZOOM),
        0: () => this.all(),
        Escape: () => this.all(),
      };
      stage.addEventListener("keydown", (event) => {
        const act = event.ctrlKey || event.metaKey || event.altKey ? null : press[event.key];
        if (!act) return;
        event.preventDefault();
        act(event);
      });
      this.keys.forEach((key, i) => key.addEventListener("click", () => this.toggle(i)));
      tools.log.addEventListener("click", () => this.setLog(!this.log));
      tools.closer.addEventListener("click", () => this.zoom(ZOOM));
      tools.wider.addEventListener("click", () => this.zoom(1 / ZOOM));
      tools.all.addEventListener("click", () => this.all());
      tools.csv.addEventListener("click", () =>
        save(`${document.body.dataset.name}.${this.id}.csv`, table(this.chart, this.strands)));
      new ResizeObserver(() => {
        if (this.plot && stage.clientWidth && stage.clientWidth !== this.plot.width) this.plot.setSize(this.size());
      }).observe(stage);
    }

    // -- drawing

    size() {
      const width = this.stage.clientWidth;
      return { width, height: Math.round(width * HEIGHT) };
    }

    // Return all that a drawing depends on: the page is measured here, and changed nowhere.
    options() {
      const [series, bands] = this.lineOptions();
      return {
        ...this.size(), series, bands,
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
        scales: {
          x: { time: false, distr: this.chart.x.log ? 3 : 1, range: (u, low, high) => this.xRange(low, high) },
          y: { distr: this.log ? 3 : 1, range: (u, low, high) => this.yRange(low, high) },
        },
        axes: this.axisOptions(),
        hooks: {
          setCursor: [() => this.read()],
          setScale: [() => { this.tools.wider.disabled = this.tools.all.disabled = this.whole; }],
        },
      };
    }

    lineOptions() {
      const series = [{}], bands = [];
      this.chart.series.forEach((s, i) => {
        const key = this.keys[i];
        const tone = styled(key, "--tone");
        const dash = (getComputedStyle(key.querySelector(".line")).strokeDasharray.match(/[\d.]+/g) || []).map(Number);
        const line = { stroke: tone, dash, width: s.strands.length > 1 ? 1 : 1.6, show: pressed(key) };
        this.strands[i].forEach(([, ys]) => {
          const alone = ys.filter((y) => y !== null).length === 1; // a line of one reading would not be seen
          series.push({ ...line, points: { show: alone, size: 6, fill: tone, stroke: tone } });
        });
        if (!s.band) return;
        const edge = { ...line, width: 0, stroke: undefined, points: { show: false } };
        series.push(edge, edge);
        bands.push({ series: [series.length - 1, series.length - 2], fill: tone + "29" });
      });
      return [series, bands];
    }

    axisOptions() {
      const { x } = this.chart;
      const [soft, rule] = [styled(this.stage, "--soft"), styled(this.stage, "--rule")];
      const common = { stroke: soft, font: `12px ${styled(this.stage, "font-family")}`, gap: 4 };
      const axis = (name, log) => ({
        ...common,
        values: log ? powers(name) : linear,
        grid: { stroke: rule, width: 1, ...(log && { filter: decades(name) }) },
        ticks: { stroke: rule, width: 1, size: 4 },
      });
      const below = { size: 28, space: 70, grid: { show: false }, border: { show: true, stroke: soft, width: 1 } };
      const wide = (u, values) => Math.max(52, 18 + 7 * Math.max(0, ...(values || []).map((text) => text.length)));
      return [{ ...axis("x", x.log), ...below, ...(x.marks && own(x.marks)) }, { ...axis("y", this.log), size: wide }];
    }

    xRange(low, high) {
      const { chart, places } = this;
      this.whole = low === null || (low <= places[0] && high >= places[places.length - 1]);
      return this.whole ? [chart.x.low, chart.x.high] : [low, high];
    }

    yRange(low, high) {
      const { y } = this.chart;
      const drawable = !this.log || y.low > 0; // whether the axis as drawn can be had on this scale
      if (low === null) return drawable ? [y.low, y.high] : [1, 10];
      if (this.whole && drawable) return [y.low, y.high];
      return this.log ? uPlot.rangeLog(low, high, 10, false) : uPlot.rangeNum(low, high, 0.06, true);
    }

    draw(options) {
      const { plot, log, lines } = this;
      const seen = plot && !this.whole ? { min: plot.scales.x.min, max: plot.scales.x.max } : null;
      if (plot) plot.destroy();
      const drawn = log ? lines.map((line) => line.map((y) => (y > 0 || y === undefined ? y : null))) : lines;
      this.plot = new uPlot(options, [this.places, ...drawn], this.stage);
      if (seen) this.plot.setScale("x", seen);
      this.point();
    }

    // -- reading off

    read() {
      const { plot, chart, strands } = this;
      const { left, idx } = plot.cursor;
      if (left === null || left < 0) {
        if (document.activeElement !== this.stage) this.readout.textContent = this.hint;
        return;
      }
      this.at = idx === null ? plot.posToVal(left, "x") : this.places[idx];
      this.readout.replaceChildren(make("span", {}, `${chart.x.label} ${named(chart.x, this.at)}: `));
      const values = chart.series.map((s, i) => {
        const known = strands[i].map((strand) => reading(strand, this.at)).filter((v) => v !== null).sort((a, b) => a - b);
        if (!pressed(this.keys[i]) || !known.length) return null;
        const ends = new Set([format(known[0], 4), format(known[known.length - 1], 4)]);
        return make("span", { class: `value-of ${s.css}` }, make("b", {}, s.name), ` ${[...ends].join(" to ")}`);
      });
      values.filter(Boolean).forEach((value, i) => this.readout.append(i ? ", " : "", value));
    }

    // Put the cursor where it reads; nowhere where it never was.
    point(x = this.at) {
      if (x !== null) this.plot.setCursor({ left: this.plot.valToPos(x, "x"), top: 1 });
    }

    // Move the cursor to the next reading that is at least so many pixels away.
    walk(direction, pixels) {
      const { plot, at } = this;
      const { min, max } = plot.scales.x;
      const inside = this.places.filter((x) => x >= min && x <= max);
      if (direction < 0) inside.reverse();
      if (!inside.length) return;
      const from = at === null || at < min || at > max ? null : plot.valToPos(at, "x");
      const far = (x) => from === null || (plot.valToPos(x, "x") - from) * direction >= pixels;
      this.point(pixels < Infinity ? inside.find(far) ?? inside[inside.length - 1] : inside[inside.length - 1]);
    }

    // -- what is seen

    zoom(factor) {
      const { x } = this.chart;
      const [forward, back] = x.log ? [Math.log, Math.exp] : [(v) => v, (v) => v];
      const { min, max } = this.plot.scales.x;
      const [low, high, first, last] = [min, max, x.low, x.high].map(forward);
      const size = (high - low) * factor;
      if (size >= last - first) {
        this.all();
        return;
      }
      const centre = this.at === null ? (low + high) / 2 : Math.min(Math.max(forward(this.at), low), high);
      const start = Math.min(Math.max(centre - size / 2, first), last - size);
      this.plot.setScale("x", { min: back(start), max: back(start + size) });
      this.point();
    }

    all() {
      this.plot.setScale("x", { min: this.places[0], max: this.places[this.places.length - 1] });
      this.point();
    }

    setLog(log) {
      this.log = log;
      flip(this.tools.log);
      this.draw(this.options());
    }

    // Show a series or put it away: all its strands, and its band.
    toggle(i) {
      flip(this.keys[i]);
      const counts = this.chart.series.map((s) => s.strands.length + (s.band ? 2 : 0));
      const first = 1 + counts.slice(0, i).reduce((sum, n) => sum + n, 0);
      for (let k = first; k < first + counts[i]; k += 1) this.plot.setSeries(k, { show: pressed(this.keys[i]) });
      if (this.at !== null) this.read();
    }
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
    new Explorer(document.getElementById(id).closest("figure"), id, chart, column, i ? "" : HINT));

  // Draw every chart; the page is measured for all of them first, for each measure after a change costs a layout.
  function draw() {
    charts.map((chart) => chart.options()).forEach((options, i) => charts[i].draw(options));
  }

  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
