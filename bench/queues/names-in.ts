/** Returns the names in a table, in its order. */
export function namesIn<Table extends object>(table: Table): (keyof Table & string)[] {
  const isIn = (name: string): name is keyof Table & string => name in table
  return Object.keys(table).filter(isIn)
}
