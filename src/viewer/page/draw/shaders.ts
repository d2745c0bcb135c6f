/** One triangle over the whole canvas. */
export const vertexShader = `#version 300 es
void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 4.0 - 1.0;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

/** Views, numbered as in \`views\`. */
export const fragmentShader = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform sampler2D image;
uniform usampler2D classes;
uniform sampler2D score;
/** Colours of the classes; alpha is 0 for those that are hidden. */
uniform sampler2D palette;
uniform sampler2D heat;
uniform vec2 size;
uniform float gamma;
/** The score in the middle of the uncertainty scale, and the distance to its ends. */
uniform vec2 scale;
uniform float opacity;
uniform float wipe;
uniform ivec2 sides;
out vec4 colour;

vec3 view(int which, vec3 pixel, ivec2 cell, float s) {
  if (which == 0) return pixel;
  if (which == 2) return texture(heat, vec2(clamp(0.5 + 0.5 * (scale.x - s) / scale.y, 0.0, 1.0), 0.5)).rgb;
  if (which == 3 && s < gamma) return vec3(0.0);
  vec4 entry = texelFetch(palette, ivec2(int(texelFetch(classes, cell, 0).r), 0), 0);
  float grey = dot(pixel, vec3(0.3, 0.59, 0.11));
  vec3 painted = mix(mix(pixel, vec3(grey), opacity), entry.rgb, opacity);
  return mix(pixel, painted, entry.a);
}

void main() {
  vec2 place = vec2(gl_FragCoord.x, size.y - gl_FragCoord.y) / size;
  vec3 pixel = texture(image, place).rgb;
  ivec2 extent = textureSize(score, 0);
  ivec2 cell = min(ivec2(place * vec2(extent)), extent - 1);
  float s = texelFetch(score, cell, 0).r;
  colour = vec4(view(place.x < wipe ? sides.x : sides.y, pixel, cell, s), 1.0);
}`;
