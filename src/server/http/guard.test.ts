import { expect, test } from "vitest";
import { guard, requireOrigins, requireSafe } from "./guard.js";

const TOKEN = "0123456789abcdef0123";
const caller = { target: "/v1/segment", host: "127.0.0.1:8000", origin: undefined };
const loopback = { host: "127.0.0.1" };

test("other machines are served with a long token only", () => {
  for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
    expect(() => requireSafe(host, undefined)).not.toThrow();
  for (const host of ["0.0.0.0", "::", "192.168.1.5", "example.com"]) {
    expect(() => requireSafe(host, undefined)).toThrow(`${host} can be reached by other machines`);
    expect(() => requireSafe(host, "short")).toThrow("has 5 characters");
    expect(() => requireSafe(host, TOKEN)).not.toThrow();
  }
});

test("a token has the characters of a bearer token: others would never be recognised", () => {
  for (const token of ["with a space in the middle", "umlaut-äöü-0123456789", 'quote-"-0123456789012'])
    expect(() => requireSafe("127.0.0.1", token)).toThrow("may not have");
  expect(() => requireSafe("127.0.0.1", "AZaz09-._~+/0123456789==")).not.toThrow();
});

test.each(["127.0.0.1", "127.0.0.1:8000", "localhost:9000", "LOCALHOST", "[::1]:8000", "127.9.9.9:1"])(
  "a request to %s means this machine",
  (host) => expect(() => guard({ ...caller, host }, loopback)).not.toThrow(),
);

test.each([
  ...["evil.example", "127.evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1"],
  ...["", "[127.0.0.1]:8000", "[evil]", "localhost:8000:1", "0.0.0.0:8000", "127.0.0.1:8000@evil.example"],
])('a request to "%s" was meant for another server: 421', (host) => {
  expect(() => guard({ ...caller, host }, loopback)).toThrow(expect.objectContaining({ status: 421 }));
});

test("beyond loopback any name is right: proxies have their own", () => {
  expect(() => guard({ ...caller, host: "gpu.example" }, { host: "0.0.0.0" })).not.toThrow();
});

test("pages of other origins are refused, our own is not", () => {
  for (const origin of ["http://evil.example", "null", "http://127.0.0.1:9999"])
    expect(() => guard({ ...caller, origin }, loopback)).toThrow(expect.objectContaining({ status: 403 }));
  expect(() => guard({ ...caller, origin: "http://127.0.0.1:8000" }, loopback)).not.toThrow();
});

test("pages of origins that were named may ask, or those of all", () => {
  const served = { host: "127.0.0.1", allowOrigins: ["https://example.com", "http://localhost:5173"] };
  for (const origin of served.allowOrigins) expect(() => guard({ ...caller, origin }, served)).not.toThrow();
  const others = ["http://example.com", "https://example.com:444", "https://example.com.evil.example", "null"];
  for (const origin of others)
    expect(() => guard({ ...caller, origin }, served)).toThrow(expect.objectContaining({ status: 403 }));
  for (const origin of [...others, "https://example.com"])
    expect(() => guard({ ...caller, origin }, { host: "127.0.0.1", allowOrigins: ["*"] })).not.toThrow();
});

test("origins are spelled as browsers spell them, and * is not joined with a token", () => {
  expect(() => requireOrigins(["https://example.com", "http://localhost:5173", "http://[::1]:80"], TOKEN)).toThrow(
    "::1",
  );
  expect(() =>
    requireOrigins(["https://example.com", "http://localhost:5173", "http://[::1]:81"], TOKEN),
  ).not.toThrow();
  const wrong = [
    "example.com",
    "https://example.com/",
    "https://Example.com",
    "https://*.example.com/x",
    "null",
    "",
    "ftp://x",
    "https://a b",
  ];
  for (const origin of wrong) expect(() => requireOrigins([origin], undefined)).toThrow(`"${origin}" is not an origin`);
  expect(() => requireOrigins(["*"], undefined)).not.toThrow();
  expect(() => requireOrigins(["https://example.com", "*"], TOKEN)).toThrow("there is a token");
});

test("addresses with dots as a part are refused however they are spelled, others with dots are not", () => {
  const targets = [
    "/v2/../x",
    "/..",
    "/v2/models/.",
    "/a/%2e%2e/b",
    "/a/.%2E",
    "/a/..%2fb",
    "/a/..%5cb",
    "/./a",
    "/a\\..\\b",
  ];
  for (const target of targets)
    expect(() => guard({ ...caller, target }, loopback)).toThrow(expect.objectContaining({ status: 400 }));
  for (const target of ["/v2/models/a.b", "/v2/models/..a", "/v1/segment?model=../..", "/assets/x.min.js"])
    expect(() => guard({ ...caller, target }, loopback)).not.toThrow();
});
