/** The examples in a guide, for the tests that run them. */

import { readFileSync } from 'node:fs'

export const repositoryRoot = new URL('../../../', import.meta.url)

/** A section of a guide: `server/README.md` and a heading in it. */
export type Section = { readonly file: string; readonly section: string }

/** Returns the code blocks of one language in a section, in order. Throws if there are none. */
export function blocksOf({ file, section }: Section, language: string): string[] {
  const readme = readFileSync(new URL(file, repositoryRoot), 'utf8')
  const from = readme.indexOf(`\n## ${section}\n`)
  const to = readme.indexOf('\n## ', from + 1)
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  const blocks = [...readme.slice(from, to).matchAll(pattern)].map(([, block = '']) => block)
  if (from === -1 || blocks.length === 0)
    throw new Error(`the section "${section}" of ${file} has no ${language} block`)
  return blocks
}
