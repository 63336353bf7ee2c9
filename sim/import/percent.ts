/** Small shares, which matter here: half a percent of breaking pull requests is not 0 %. */

/** `0.4 %`, `12 %`; `0 %` only for nothing. */
export function percent(part: number, whole: number): string {
  const value = whole === 0 ? 0 : (100 * part) / whole
  return `${value === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} %`
}
