/** The entry of a worker thread: hunts one defect per call. */

import { hunt, type Hunt } from './hunt.ts'
import { defectNamed } from './index.ts'

export type HuntTask = { readonly defect: string; readonly seedsAtMost: number }

// The pool needs a default export, or a function of this name.
export function huntWorker({ defect, seedsAtMost }: HuntTask): Hunt {
  return hunt(defectNamed(defect), seedsAtMost)
}
