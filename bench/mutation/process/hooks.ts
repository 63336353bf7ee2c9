/** Hooks of Node's module loader: one compiled file has another text. */

import type { InitializeHook, LoadHook } from 'node:module'

export type Replaced = { readonly url: string; readonly text: string }

let replaced: Replaced | null = null

export const initialize: InitializeHook<Replaced> = (data) => {
  replaced = data
}

export const load: LoadHook = (url, context, nextLoad) =>
  url === replaced?.url
    ? { format: 'module', source: replaced.text, shortCircuit: true }
    : nextLoad(url, context)
