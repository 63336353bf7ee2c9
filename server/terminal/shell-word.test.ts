import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from './text.ts'

test.for([
  ['scenarios/try.json', 'scenarios/try.json'],
  ["my team's.json", `"my team's.json"`],
  ['', '""'],
  ['suite.minutes={"median":5}', `'suite.minutes={"median":5}'`],
  ["o'clock; $(exit 3) `exit 4` \\ !", String.raw`'o'\''clock; $(exit 3) ${'`'}exit 4${'`'} \ !'`],
] as const)('a shell reads %j as one word from %s', ([text, word]) => {
  expect(shellWord(text)).toBe(word)
  expect(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(text)
})
