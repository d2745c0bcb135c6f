import { element, make } from "../../html/element.js";
import { subscripts } from "../../html/subscripts.js";
import type { Choice, LeftPane } from "./choice.js";

/** Data set, method, threshold, and how images are shown. */
export function openControls(choice: Choice): void {
  const datasets = element<HTMLSelectElement>("#dataset");
  const slider = element<HTMLInputElement>("#threshold");
  const opacity = element<HTMLInputElement>("#opacity");
  const left = element<HTMLSelectElement>("#left");
  const sort = element<HTMLSelectElement>("#sort");
  for (const [k, { name }] of choice.report.datasets.entries()) {
    datasets.append(new Option(name, String(k)));
  }
  element("#dataset-choice").toggleAttribute("hidden", choice.report.datasets.length < 2);
  datasets.addEventListener("change", () => {
    choice.enter(Number(datasets.value));
    build();
    choice.announce();
  });
  slider.addEventListener("input", () => {
    choice.pinned = null;
    choice.change({ share: Number(slider.value) / 1000 });
  });
  opacity.addEventListener("input", () => choice.change({ opacity: Number(opacity.value) / 100 }));
  left.addEventListener("change", () => choice.change({ left: left.value as LeftPane }));
  sort.addEventListener("change", () => choice.change({ sort: sort.value }));

  const build = (): void => {
    buildMethods(choice);
    buildClasses(choice);
    for (const section of document.querySelectorAll<HTMLElement>("[data-dataset]")) {
      section.hidden = section.dataset.dataset !== String(choice.dataset);
    }
  };
  build();
  choice.onChange(() => {
    const { certain, threshold } = choice.current.levels;
    const level = choice.levelOf(choice.current);
    slider.value = String(Math.round(choice.share * 1000));
    const kept = Math.round((certain[level] ?? 0) * 100);
    slider.setAttribute("aria-valuetext", `${kept} percent of pixels kept, uncertainty at most ${threshold[level]}`);
    slider.style.setProperty("--share", `${choice.share * 100}%`);
    buildMarks(choice, level);
    for (const input of document.querySelectorAll<HTMLInputElement>("#methods input")) {
      input.checked = input.value === String(choice.method);
    }
  });
}

/** One radio button for each method; its colour is that of its curves, so this is the legend too. */
function buildMethods(choice: Choice): void {
  const box = element("#methods");
  box.replaceChildren(
    ...choice.place.methods.map(({ label }, k) => {
      const input = make("input");
      input.type = "radio";
      input.name = "method";
      input.value = String(k);
      input.addEventListener("change", () => choice.change({ method: k }));
      const chip = make("label", `chip s${k % 7}${k >= 7 ? " again" : ""}`);
      chip.append(input, make("span", "swatch"), make("span", "", label));
      return chip;
    }),
  );
}

/** Buttons that jump to the levels worth knowing. */
function buildMarks(choice: Choice, level: number): void {
  const box = element("#marks");
  const wanted = choice.current.marks.map(({ name }) => name).join("|");
  if (box.getAttribute("data-marks") !== `${choice.dataset} ${choice.method} ${wanted}`) {
    box.setAttribute("data-marks", `${choice.dataset} ${choice.method} ${wanted}`);
    const { certain } = choice.current.levels;
    const jumps = [
      ...choice.current.marks,
      { name: "keep all", meaning: "every pixel is trusted", level: certain.length - 1 },
    ];
    box.replaceChildren(
      ...jumps.map((mark) => {
        const button = make("button", "mark");
        button.append(...subscripts(mark.name).map(({ text, below }) => (below ? make("sub", "", text) : text)));
        button.type = "button";
        button.title = mark.meaning;
        button.dataset.level = String(mark.level);
        button.addEventListener("click", () => {
          choice.pin(choice.method, mark.level);
          choice.announce();
        });
        return button;
      }),
    );
  }
  for (const button of box.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.dataset.level === String(level)));
  }
}

/** A toggle for each class: hidden classes show the image itself. */
function buildClasses(choice: Choice): void {
  const box = element("#classes");
  box.replaceChildren(
    ...choice.place.classes.map(({ name, colour }, id) => {
      const button = make("button", "class-chip");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      const swatch = make("span", "swatch");
      swatch.style.setProperty("background", `rgb(${colour.join(" ")})`);
      button.append(swatch, make("span", "", name));
      button.addEventListener("click", () => {
        if (!choice.hidden.delete(id)) choice.hidden.add(id);
        button.setAttribute("aria-pressed", String(!choice.hidden.has(id)));
        choice.announce();
      });
      return button;
    }),
  );
}
