/** The number of a run, which people can say and remember; its id is a uuid that ends with it. */

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{4}([0-9a-f]{8})$/

/** Returns what is no uuid as it is. */
export function runNumber(id: string): string {
  const [, digits] = uuid.exec(id) ?? []
  return digits === undefined ? id : String(Number.parseInt(digits, 16))
}
