/** The entry of a worker thread: one defect per call. */

import { hunt, type Hunt, type HuntWish } from './hunt.ts'
import { defects } from './index.ts'

export type HuntTask = HuntWish & { readonly defect: string }

// The pool wants a default export, or a function of this name.
export function huntWorker({ defect: name, ...wish }: HuntTask): Hunt {
  const defect = defects.find((each) => each.name === name)
  if (!defect) throw new Error(`no defect is called ${name}`)
  return hunt(defect, wish)
}
