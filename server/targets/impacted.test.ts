/** What the tree of a pull request can do while its targets are looked for. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { main, makeBare, write } from '../git/testing/commits.ts'
import { Mirror } from '../git/mirror.ts'
import { impactedFor } from './impacted.ts'

//
test('patterns of a pull request that take for ever give ALL, and hold up no other pull request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-targets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const workspaces = (pattern: string): string => JSON.stringify({ workspaces: [pattern] })
  const mirror = join(folder, 'mirror.git')
  const long = `packages/${'a'.repeat(60)}/package.json`
  makeBare(mirror)
  const [tip = '', hostile = '', harmless = ''] = await write(
    mirror,
    {
      ref: main,
      files: {
        'package.json': workspaces('packages/*'),
        'packages/web/package.json': '{"name":"web"}',
        [long]: '{"name":"long"}',
      },
    },
    {
      ref: 'refs/pull/1/head',
      from: main,
      files: { 'package.json': workspaces(`packages/${'*a'.repeat(14)}b`) },
    },
    { ref: 'refs/pull/2/head', from: main, files: { 'packages/web/a.ts': '' } },
  )
  const lines: string[] = []
  const impactedIn = (matchingMs: number) => {
    const impacted = impactedFor(
      { workspaces: true },
      { environment: [] },
      {
        folder,
        id: 'q',
        mirror: new Mirror(mirror, ''),
        logger: pino({ base: null }, { write: (line) => void lines.push(line) }),
        matchingMs,
      },
    )
    onTestFinished(() => impacted.close())
    return impacted
  }
  const endless = impactedIn(300)
  const other = impactedIn(600_000)
  expect(
    await Promise.all([
      endless.of({ number: 1, head: hostile, tip }),
      other.of({ number: 2, head: harmless, tip }),
    ]),
  ).toEqual(['ALL', ['web']])
  expect(lines).toEqual([expect.stringContaining('matching its patterns took longer than 300 ms')])
})
