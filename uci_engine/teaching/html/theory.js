/*
 * What the theory pages share: their data, their texts in two languages, the switch between them, and
 * helpers that create elements. It comes before the other scripts of a page. A page gives its texts as
 * data.texts, with the conventions of each language: the "decimal" sign and the letters of the
 * "pieces". An element with data-text or data-label takes its text or label from there; everything
 * else that a script writes, it writes again when Theory.onLanguage calls it.
 */
const Theory = (function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  let language = data.language;
  const listeners = [];

  function byId(id) { return document.getElementById(id); }

  /** The text of a name with its values filled in, or the name; for one thing the singular, "name_1", if any. */
  function text(name, values) {
    const words = data.texts[language], one = name + "_1";
    const isOne = values && [values.number, values.depth].map(String).includes("1") && one in words;
    return (words[isOne ? one : name] ?? name).replace(/\{(\w+)\}/g, function (all, key) {
      return values && key in values ? values[key] : all;
    });
  }

  /** A text with numbers in Python's form, "1.5" in every language. */
  function phrase(name, values) {
    const told = Object.entries(values || {}).map(([key, value]) => [key, decimal(value)]);
    return text(name, Object.fromEntries(told));
  }

  /** A number with the decimal sign of the language, and a true minus sign. */
  function decimal(value) {
    if (!/^[≈≥≤+\-\u2212]*\d+\.\d+$/.test(value)) { return value; }
    return String(value).replace("-", "\u2212").replace(".", data.texts[language].decimal);
  }

  /** A chess move or line with the piece letters of the language. */
  function pieces(san) {
    return san.replace(/[KQRBN]/g, (letter) => data.texts[language].pieces["KQRBN".indexOf(letter)]);
  }

  function make(name, parent, content, className) {
    const element = document.createElement(name);
    if (content !== undefined) { element.textContent = content; }
    if (className) { element.className = className; }
    if (parent) { parent.append(element); }
    return element;
  }

  /** An element of a drawing. */
  function draw(name, attributes, parent, content) {
    const element = document.createElementNS(SVG, name);
    for (const key of Object.keys(attributes)) { element.setAttribute(key, attributes[key]); }
    if (content !== undefined) { element.textContent = content; }
    parent.append(element);
    return element;
  }

  /** Replace the options of a select and keep its choice. */
  function options(id, names, title) {
    const select = byId(id), chosen = select.value;
    select.replaceChildren(...names.map(function (name) {
      const option = make("option", null, (title || text)(name));
      option.value = name;
      return option;
    }));
    if (names.includes(chosen)) { select.value = chosen; }
  }

  function label(element, name) {
    element.title = text(name);
    element.setAttribute("aria-label", element.title);
  }

  /**
   * The controls of steps.html. steps: at() and last(), the shown step and the last one; go(step);
   * next(step, speed), the step that follows while playing; pause(speed) in milliseconds. Returns
   * play(isOn), toggle(), and to(step), which stops playing.
   */
  function controls(steps) {
    let timer = 0;

    function play(isOn) {
      window.clearInterval(timer);
      timer = 0;
      if (isOn) {
        const speed = Number(byId("speed").value);
        if (steps.at() === steps.last()) { steps.go(0); }
        timer = window.setInterval(function () {
          steps.go(steps.next(steps.at(), speed));
          if (steps.at() === steps.last()) { play(false); }
        }, steps.pause(speed));
      }
      byId("play").textContent = isOn ? "❚❚" : "▶▶";
      label(byId("play"), isOn ? "pause" : "play");
    }

    function toggle() { play(!timer); }

    function to(step) {
      play(false);
      steps.go(step);
    }

    byId("first").addEventListener("click", () => to(0));
    byId("previous").addEventListener("click", () => to(steps.at() - 1));
    byId("play").addEventListener("click", toggle);
    byId("next").addEventListener("click", () => to(steps.at() + 1));
    byId("last").addEventListener("click", () => to(steps.last()));
    byId("speed").addEventListener("input", () => { if (timer) { play(true); } });
    byId("place").addEventListener("input", function () { to(Number(this.value)); });
    return { play, toggle, to };
  }

  function translate() {
    document.documentElement.lang = language;
    document.querySelectorAll("[data-text]").forEach(function (element) {
      element.textContent = text(element.dataset.text);
    });
    document.querySelectorAll("[data-label]").forEach(function (element) {
      label(element, element.dataset.label);
    });
  }

  /** Call this function now, and whenever the language changes. */
  function onLanguage(listener) {
    listeners.push(listener);
    listener(language);
  }

  byId("language").value = language;
  byId("language").addEventListener("change", function () {
    language = this.value;
    translate();
    listeners.forEach(function (listener) { listener(language); });
  });
  translate();
  return { data, byId, text, phrase, decimal, pieces, make, draw, options, controls, onLanguage,
    language: () => language };
}());
