/** Tables of what the simulator looks for. */

/** The title of a row: `timeout: A run takes longer than the timeout.`, or with a number `late (3): It is late.` */
const title = /(?<name>\w[\w -]*\w)(?: \((?<number>\d+)\))?: (?<sentence>.+)/

export type Titled<Value> = {
  /** Short and stable. */
  readonly name: string
  readonly number: number
  readonly sentence: string
  readonly value: Value
}

/** Returns the rows of a table, each a title and below it a value. Throws an error on a title of another form. */
export const titled = <Value>(titles: TemplateStringsArray, ...values: Value[]): Titled<Value>[] =>
  values.map((value, row) => {
    const { name, number, sentence } = title.exec(titles[row] ?? '')?.groups ?? {}
    if (name === undefined || sentence === undefined) {
      throw new Error(`Expected "name: sentence" or "name (number): sentence", got:${titles[row]}`)
    }
    return { name, number: Number(number), sentence, value }
  })
