import type { SiteModel } from "../../manifest.js";
import type { Viewer } from "../state/viewer.js";

/** Which models are shown; nothing to choose where there is one. */
export function ModelChoice({ viewer }: { readonly viewer: Viewer }) {
  const { models } = viewer.manifest;
  if (models.length < 2) return null;
  const [first, second] = viewer.slots.value.map(({ model }) => model);
  const choose = (one: SiteModel | undefined, other: SiteModel | undefined): void => {
    if (one !== undefined) void viewer.use(other === undefined || other === one ? [one] : [one, other]);
  };
  const named = (name: string): SiteModel | undefined => models.find((model) => model.name === name);
  return (
    <div class="models">
      <label>
        Model{" "}
        <select value={first?.name} onChange={({ currentTarget }) => choose(named(currentTarget.value), second)}>
          {models.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        beside{" "}
        <select value={second?.name ?? ""} onChange={({ currentTarget }) => choose(first, named(currentTarget.value))}>
          <option value="">nothing</option>
          {models
            .filter((model) => model !== first)
            .map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
        </select>
      </label>
    </div>
  );
}
