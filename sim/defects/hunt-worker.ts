/** The entry of a worker thread: hunts one defect per call. */

import { hunt, type Hunt } from './hunt.ts'
import { defects } from './index.ts'

export type HuntTask = { readonly defect: string; readonly seedsAtMost: number }

// The pool needs a default export, or a function of this name.
export function huntWorker({ defect: name, seedsAtMost }: HuntTask): Hunt {
  const defect = defects.find((each) => each.name === name)
  if (!defect) throw new Error(`no defect is called ${name}`)
  return hunt(defect, seedsAtMost)
}
