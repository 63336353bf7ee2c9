import { expect, test } from 'vitest'
import { recordAt } from './contents.ts'
import { deadEndsIn } from './readmes.ts'
import { jsonOf, repositoryFiles } from './repository.ts'

const deadEnds = (text: string): string[] =>
  deadEndsIn({ path: 'sim/README.md', text }, ['sim/README.md', 'sim/cli.ts'], ['sim', 'test'])

test('every link and every command of a README works', () => {
  const files = repositoryFiles()
  const paths = files.map(({ path }) => path)
  const scripts = Object.keys(recordAt(jsonOf('package.json'), 'scripts'))
  expect(files.flatMap((file) => deadEndsIn(file, paths, scripts))).toEqual([])
})

test.each([
  '[the simulator](cli.ts), [this](./README.md#seeds), [all](../sim/), [web](https://example.org)',
  'npm ci && npm test',
  'npm run sim -- scenarios/x.json',
  'npm run -s sim -- --json',
])('%s works', (text) => {
  expect(deadEnds(text)).toEqual([])
})

test('what leads nowhere is told with its line', () => {
  expect(deadEnds('\n[gone](gone.ts)\nnpm run tune')).toEqual([
    'sim/README.md:2 links to gone.ts, which is not there',
    'sim/README.md:3 says npm run tune, which package.json does not know',
  ])
})
