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

/** Returns the rows of a table, each a title and below it a value. */
export const titled = <Value>(titles: TemplateStringsArray, ...values: Value[]): Titled<Value>[] =>
  values.map((value, row) => {
    const { name = '', number, sentence = '' } = title.exec(titles[row] ?? '')?.groups ?? {}
    return { name, number: Number(number), sentence, value }
  })
