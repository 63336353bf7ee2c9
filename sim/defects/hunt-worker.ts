/** The entry of a worker thread: hunts one defect per call. */

import { hunt, type Hunt, type HuntOptions } from './hunt.ts'
import { defects } from './index.ts'

export type HuntTask = HuntOptions & { readonly defect: string }

// The pool needs a default export, or a function of this name.
export function huntWorker({ defect: name, ...options }: HuntTask): Hunt {
  const defect = defects.find((each) => each.name === name)
  if (!defect) throw new Error(`no defect is called ${name}`)
  return hunt(defect, options)
}
