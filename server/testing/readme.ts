/** The examples in README.md, for the tests that run them. */

import { readFileSync } from 'node:fs'

export const repositoryRoot = new URL('../../../', import.meta.url)

/** Returns the code blocks of one language in a section, in order. Throws if there are none. */
export function blocksOf(section: string, language: string): string[] {
  const readme = readFileSync(new URL('README.md', repositoryRoot), 'utf8')
  const from = readme.indexOf(`\n## ${section}\n`)
  const to = readme.indexOf('\n## ', from + 1)
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  const blocks = [...readme.slice(from, to).matchAll(pattern)].map(([, block = '']) => block)
  if (from === -1 || blocks.length === 0)
    throw new Error(`the section "${section}" has no ${language} block`)
  return blocks
}
