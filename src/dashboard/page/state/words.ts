/** "45 s", "12 min", "6 h 04 min", "3 d 02 h" */
export function duration(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const whole = Math.round(seconds);
  if (whole < 100) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${two(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

/** Three digits: "0.412", "12.3", "5.00e-4". */
export function short(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size < 0.001 || size >= 1e6) return value.toExponential(2);
  return size >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

export const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** "12 400" */
export const grouped = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
