import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeRepository } from '../../stage/repository.ts'
import { exposure } from '../../../server/cli/serve.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import {
  bubblewrapNote,
  freeDisk,
  leastNode,
  nodeVersion,
  usesNpm,
} from '../../../server/cli/doctor.ts'

test('the least Node is the one of package.json', () => {
  const { engines }: { engines: { node: string } } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  expect(engines.node).toBe(`>=${leastNode.join('.')}`)
})

test.each(['v20.19.0', 'v20.20.1', 'v22.0.0'])('Node %s is new enough', (version) => {
  expect(nodeVersion(version)).toBe(version)
})

test.each(['v18.20.0', 'v20.18.3'])('Node %s is too old', (version) => {
  expect(() => nodeVersion(version)).toThrow(`${version}, at least 20.19 is needed: update Node`)
})

test.each([
  ['npm test', true],
  ['cd web && npm ci', true],
  ['(npx vitest)', true],
  ['pnpm test', false],
  ['node npm.js', false],
  ['make', false],
])('the command %j uses npm: %s', (command, expected) => {
  expect(usesNpm(command)).toBe(expected)
})

const open = 'tests can read the admin token, and all else that this user can read'

test.each([
  [
    'works',
    true,
    true,
    false,
    'works: tests see no secret of the server, and nothing of them is left',
  ],
  ['is switched off', true, true, true, `"bubblewrap" is false: ${open}`],
  [
    'does not work',
    ...[true, false, false],
    `bubblewrap is installed, but this user may make no namespaces: ${open}`,
  ],
  ['is missing', false, false, false, `bubblewrap is not installed: ${open}`],
] as const)('bubblewrap that %s is a note, and no fault', (_, isInstalled, works, isOff, words) => {
  const note = bubblewrapNote(exposure({ isInstalled, works, isOff }))
  expect(note).toEqual({ what: 'bubblewrap', isOk: true, isNote: true, words })
})

test('the disk is that of the data folder, also before there is one', () => {
  const home = new CliFolder()
  onTestFinished(() => home.remove())
  const data = join(home.path, 'a', 'data')
  expect(freeDisk(data)).toMatch(new RegExp(`^\\d+ GiB free at ${home.path}$`))
  mkdirSync(dirname(data))
  expect(freeDisk(data)).toContain(` at ${dirname(data)}`)
})

test('doctor prints the machine first; npm only if a command uses it', async () => {
  const home = new CliFolder()
  onTestFinished(() => home.remove())
  const shop = join(home.path, 'shop.git')
  await makeRepository(shop, [{ number: 1 }])
  const place = ['--repo', shop, '--data', join(home.path, 'data')]
  const args = ['doctor', ...place, '--json', '--test', 'node test.mjs']
  const linesOf = async (more: readonly string[]) => {
    const { out } = await home.run([...args, ...more])
    const checks: { what: string; words: string }[] = JSON.parse(out)
    return checks
  }
  const plain = await linesOf([])
  expect(plain.slice(0, 4).map(({ what }) => what)).toEqual(['node', 'git', 'bubblewrap', 'disk'])
  expect(plain[3]?.words).toContain(` at ${home.path}`)
  const withNpm = await linesOf(['--setup', 'npm ci'])
  expect(withNpm.find(({ what }) => what === 'npm')?.words).toMatch(/^\d+\.\d+/)
})
