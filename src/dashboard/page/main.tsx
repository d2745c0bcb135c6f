/// <reference lib="dom" />
import { render } from "preact";
import { plotStyle } from "../../report/plotStyle.js";
import { Dashboard } from "./state/dashboard.js";
import { App } from "./view/app.js";

// The look of plots comes with what draws them.
const sheet = new CSSStyleSheet();
sheet.replaceSync(plotStyle);
document.adoptedStyleSheets.push(sheet);

const dashboard = new Dashboard();
render(<App dashboard={dashboard} />, document.getElementById("app")!);
dashboard.start();
