import { htmlPage } from "../../html/htmlPage.js";
import { escapeText } from "../../platform/escape.js";
import { type Operation, paths } from "./openapi.js";

/** The API for people: what each path takes and answers, without a script. */
export function apiPage(models: readonly { readonly name: string; readonly method: string }[], host: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationHtml(method.toUpperCase(), path, operation)),
  );
  const rows = models.map(
    ({ name, method }) =>
      `<tr><td><a href="/v2/models/${escapeText(name)}"><code>${escapeText(name)}</code></a></td><td>${escapeText(method)}</td></tr>`,
  );
  const example = models[0]?.name ?? "model";
  return htmlPage({
    title: "gssl serve",
    style: "api",
    images: "inside",
    body: `<h1>gssl serve</h1>
<p>Semantic segmentation that knows where it is wrong. <a href="/openapi.json">openapi.json</a> · <a href="/metrics">metrics</a> · <a href="/v2/health/ready">ready</a></p>
<pre>curl --data-binary @image.jpg 'http://${escapeText(host)}/v1/segment?model=${escapeText(example)}'
curl --data-binary @image.jpg 'http://${escapeText(host)}/v1/segment?output=certain' -o certain.png</pre>
<h2>Models</h2><table><tr><th>name</th><th>method</th></tr>${rows.join("")}</table>
<h2>API</h2>
${operations.join("\n")}`,
  });
}

function operationHtml(method: string, path: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const named = parameters.map(
    (one) =>
      `<tr><td><code>${escapeText(one.name)}</code></td><td>${one.in}</td><td>${escapeText(one.description)}</td></tr>`,
  );
  const answers = Object.entries(responses).map(
    ([status, one]) =>
      `<tr><td>${status}</td><td>${escapeText(Object.keys(one.content ?? {}).join(", "))}</td><td>${escapeText(one.description)}</td></tr>`,
  );
  const body =
    requestBody === undefined ? "" : `<p>Body: ${escapeText(Object.keys(requestBody.content).join(", "))}</p>`;
  return `<details><summary><b>${method}</b> <code>${escapeText(path)}</code> ${escapeText(summary)}</summary>
${description === undefined ? "" : `<p>${escapeText(description)}</p>`}${body}
${named.length === 0 ? "" : `<table><tr><th>parameter</th><th>in</th><th></th></tr>${named.join("")}</table>`}
<table><tr><th>status</th><th>answer</th><th></th></tr>${answers.join("")}</table></details>`;
}
