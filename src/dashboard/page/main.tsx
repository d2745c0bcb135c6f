/// <reference lib="dom" />
import { render } from "preact";
import { Dashboard } from "./state/dashboard.js";
import { App } from "./view/app.js";

const dashboard = new Dashboard();
render(<App dashboard={dashboard} />, document.getElementById("app")!);
dashboard.start();
