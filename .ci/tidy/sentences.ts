/**
 * Checks the tables of engine/SENTENCES.md: each row has a sentence of the interface document, the
 * rules that say it exactly, and the tests and scenarios that hold it. All of them must exist.
 *
 * A test is written as its file in backquotes, a colon, and its title as in the source; a scenario as
 * its file alone. Semicolons separate several of them.
 */

import type { RepositoryFile } from './repository.ts'
import { lineAt } from './source.ts'

export const sentencesFile = 'engine/SENTENCES.md'

const row = /^\| (?!-+ \||sentence +\|)([^|\n]*)\|([^|\n]*)\|([^|\n]*)\|$/gm
const rule = /\*\*([EA]-\d+)\*\*/g
const holder = /^`([^`]+)`(?:: (.+))?$/

/** Returns every row whose sentence, rules, tests or scenarios are missing. */
export function unheldSentences(files: readonly RepositoryFile[]): string[] {
  const table = files.find(({ path }) => path === sentencesFile)
  const rows = table ? [...table.text.matchAll(row)] : []
  if (!table || rows.length === 0) return [`${sentencesFile} has no table of sentences: add it`]
  const rules = new Set(files.flatMap(({ text }) => [...text.matchAll(rule)].map(([, id]) => id)))
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return rows.flatMap((found) => {
    const [sentence = '', ids = '', holders = ''] = found.slice(1).map((cell) => cell.trim())
    const location = `${sentencesFile}:${lineAt(table, found.index)}`
    const unknown = ids.split(', ').filter((id) => !rules.has(id))
    return [
      ...(sentence === '' ? [`${location} has no sentence: say it in your words`] : []),
      ...unknown.map((id) => `${location} names the rule "${id}", which does not exist`),
      ...holders.split(/; (?=`)/).flatMap((one) => faultOf(one, texts, location)),
    ]
  })
}

function faultOf(text: string, texts: ReadonlyMap<string, string>, location: string): string[] {
  const [, path = '', title] = holder.exec(text) ?? []
  const isScenario = /^scenarios\/[\w-]+\.json$/.test(path)
  if (!isScenario && !(path.endsWith('.test.ts') && title !== undefined)) {
    return [`${location} has "${text}": expected \`<test file>\`: <title>, or \`<scenario file>\``]
  }
  const source = texts.get(path)
  if (source === undefined) return [`${location} names ${path}, which does not exist`]
  if (title === undefined || hasTest(source, title)) return []
  return [`${location} names "${title}", a test that ${path} does not have`]
}

/** True if a call in the source has the title as its first argument. */
function hasTest(source: string, title: string): boolean {
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`\\(\\s*(['"\`])${literal}\\1,`).test(source)
}
