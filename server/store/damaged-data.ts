/** A file of the data folder does not say what was written to it. The start stops over it. */

export class DamagedData extends Error {
  constructor(file: string, line: number | null, fault: string) {
    const place = line === null ? file : `${file}, line ${line}`
    super(
      `${place}: ${fault}. Nothing was changed. ` +
        'Put the file back from a backup, or move the data folder away to begin anew',
    )
    this.name = 'DamagedData'
  }
}

/** Makes of a fault the error to throw, with the place where it was found. */
export type Damaged = (fault: string) => DamagedData

/** Does the work; where that throws, what was read was not what had been written. */
export function orDamaged<Value>(damaged: Damaged, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : String(error))
  }
}
