/** doctor on the fake Gitea and the fake GitLab: where all is well, where nothing is, and wrong arguments. */

import { expect, onTestFinished, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { FakeForge } from '../../../server/forge/testing/fake-forge.ts'
import { openPull } from '../../../server/forge/testing/open-pull.ts'
import { gitea, giteaToken } from '../../../server/gitea/testing/fake-gitea.ts'
import { gitlab, gitlabToken } from '../../../server/gitlab/testing/fake-gitlab.ts'
import { CliFolder } from '../testing/cli-folder.ts'

type Check = { readonly what: string; readonly isOk: boolean; readonly words: string }

const hosts = {
  gitea: {
    dialect: gitea,
    env: { MERGEYARD_GITEA_TOKEN: giteaToken },
    ci: {
      '.gitea/workflows/ci.yml': 'on:\n  push:\n    branches: ["mergeyard/**"]\n',
    },
    well: (fake: FakeForge): void => {
      fake.state.rules = { from: 'protection', checks: ['ci'], approvals: 1 }
    },
    faults: ['permission', 'merge method', 'required checks', 'push to the branch', 'workflows'],
  },
  gitlab: {
    dialect: gitlab,
    env: { MERGEYARD_GITLAB_TOKEN: gitlabToken },
    ci: { '.gitlab-ci.yml': 'test:\n  script: make test\n' },
    well: (): void => undefined,
    faults: ['permission', 'merge method', 'pipelines', 'requests: the removal of a label'],
  },
} as const

type Kind = keyof typeof hosts

async function doctor(
  kind: Kind,
  files: Readonly<Record<string, string>>,
  prepare: (fake: FakeForge) => void,
) {
  const { dialect, env } = hosts[kind]
  const home = new CliFolder()
  const fake = new FakeForge(dialect, { folder: home.path })
  onTestFinished(() => {
    fake.close()
    home.remove()
  })
  await fake.state.repository.make(files)
  await fake.listen()
  prepare(fake)
  await openPull(fake, 7, { 'pay.txt': 'twice\n' })
  const before = fake.state.repository.refs()
  const args = ['doctor', `--${kind}`, `${fake.url}/acme/shop`, '--json']
  const { code, out } = await home.run(args, env)
  const checks: Check[] = JSON.parse(out)
  expect(fake.state.repository.refs()).toEqual(before)
  expect(fake.faults).toEqual([])
  return { code, faults: checks.filter(({ isOk }) => !isOk).map(({ what }) => what) }
}

test.each(['gitea', 'gitlab'] as const)(
  'on %s, where all is set, all is well',
  matrix,
  async (kind) => {
    const { ci, well } = hosts[kind]
    expect(await doctor(kind, ci, well)).toEqual({ code: 0, faults: [] })
  },
)

test.each(['gitea', 'gitlab'] as const)('on %s, what is not set is named', async (kind) => {
  const { faults } = hosts[kind]
  const found = await doctor(kind, {}, ({ state }) => {
    state.permissions = { push: false, admin: false }
    Object.assign(state.methods, { manual: false, squash: false })
  })
  expect(found).toEqual({ code: 1, faults })
})

test.each([
  [['--gitea', 'acme/shop'], 'the address of the repository'],
  [['--gitea', 'https://git.example.com/groups/acme/shop'], 'the address of the repository'],
  [['--gitea', 'https://git.example.com/acme/shop', '--repo', '.'], 'either --gitea or --repo'],
  [['--gitlab', 'https://me:secret@gitlab.com/acme/shop'], 'the address of the repository'],
  [['--gitea', 'https://git.example.com/acme/shop'], 'MERGEYARD_GITEA_TOKEN'],
  [['--gitlab', 'https://gitlab.com/acme/tools/shop'], 'MERGEYARD_GITLAB_TOKEN'],
  [['--gitlab', 'https://gitlab.com/acme/shop', '--repo', '.'], 'either --gitlab or --repo'],
])('%j is refused in one line', async (args, words) => {
  const home = new CliFolder()
  onTestFinished(() => home.remove())
  const { code, err } = await home.run(['doctor', ...args])
  expect(code).toBe(2)
  expect(err).toContain(words)
  expect(err).not.toContain('secret@')
})
