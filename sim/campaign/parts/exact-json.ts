/** JSON that says all of a value: whoever reads it gets what was written. */

/** Returns the value as JSON. Throws for a number that JSON does not have. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (key: string, each: unknown) => {
    if (typeof each === 'number' && !Number.isFinite(each)) {
      throw new Error(`${key}: JSON has no ${each}`)
    }
    return each
  })
}
