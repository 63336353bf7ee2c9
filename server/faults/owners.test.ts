import { expect, test } from 'vitest'
import { refusalIn } from '../git/land.ts'
import { fits, ownerOf, owners, type Failure, type Owner } from './owners.ts'

const refusedBy = (hook: string): string => `pre-receive hook declined; ${hook}`

/** As git and the hosts say it. */
const cases: readonly (readonly [Owner, Failure['attempt'], string, number?])[] = [
  ['nobody', 'push', 'failed to update ref'],
  ['nobody', 'push', refusedBy('GitLab: Internal API error: timed out')],
  ['pull request', 'push', refusedBy('error: GH001: Large files detected.')],
  [
    'pull request',
    'push',
    refusedBy(
      'error: GH013: Repository rule violations found for refs/heads/main.; - Push cannot contain secrets',
    ),
  ],
  [
    'pull request',
    'push',
    refusedBy('GitLab: File name id_rsa was prohibited by the pattern "id_rsa$".'),
  ],
  [
    'pull request',
    'push',
    refusedBy('Gitea: branch main is protected from changing file .drone.yml'),
  ],
  [
    'pull request',
    'push',
    'refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission',
  ],
  [
    'repository',
    'push',
    'protected branch hook declined; error: GH006: Protected branch update failed for refs/heads/main.',
  ],
  [
    'repository',
    'push',
    refusedBy(
      'error: GH013: Repository rule violations found for refs/heads/main.; - Changes must be made through a pull request.',
    ),
  ],
  [
    'repository',
    'push',
    refusedBy('GitLab: You are not allowed to push code to protected branches on this project.'),
  ],
  ['repository', 'push', refusedBy('Gitea: Not allowed to push to protected branch main')],
  ['repository', 'push', 'branch is currently checked out'],
  ['unclear', 'push', refusedBy('ask Grace first')],
  ['nobody', 'button', 'GitHub does not answer', 0],
  ['nobody', 'button', 'GitHub answers 429: too many', 429],
  ['repository', 'button', 'GitLab answers 401: 401 Unauthorized', 401],
  ['repository', 'button', 'squash merges are not allowed on this repository.', 405],
  ['pull request', 'button', '405 Method Not Allowed (merge_request_blocked)', 405],
  [
    'repository',
    'button',
    'Repository rule violations found. Cannot update this protected ref.',
    405,
  ],
  ['repository', 'button', 'Resource not accessible by integration', 403],
  ['pull request', 'button', 'Pull request is part of a stack and cannot be merged here', 403],
  ['pull request', 'button', '405 Method Not Allowed (discussions_not_resolved)', 405],
  ['pull request', 'button', '405 Method Not Allowed (ci_must_pass)', 405],
  ['unclear', 'button', 'Repository rule violations found: 1 conversation', 405],
  ['nobody', 'request', 'Bad Gateway', 502],
  ['nobody', 'request', 'Bad credentials', 401],
  ['pull request', 'request', 'Not Found', 404],
  ['pull request', 'request', 'the server has an error with this one', 500],
  ['slot', 'slot', 'EACCES'],
  ['pull request', 'checkout', "git read-tree failed (128): error: invalid path '.git/config'"],
  ['pull request', 'checkout', 'error: unable to create file xx: File name too long'],
  ['nobody', 'checkout', 'error: unable to create file xx: No space left on device'],
]

//
test.each(cases.map(([owner, ...failure]) => ({ owner, ...failureOf(failure) })))(
  '$owner: $attempt: $words',
  ({ owner, ...failure }) => {
    expect(ownerOf(failure)).toBe(owner)
  },
)

test('each row of the table decides a case', () => {
  const decidedBy = (failure: Failure) => owners.find((row) => fits(row, failure))
  const used = new Set(cases.map(([, ...failure]) => decidedBy(failureOf(failure))))
  expect(owners.filter((row) => !used.has(row))).toEqual([])
})

function failureOf([attempt, words, status]: readonly [Failure['attempt'], string, number?]) {
  return { attempt, words, ...(status === undefined ? {} : { status }) }
}

/** As git says it of a bare repository on such a disk. */
const disks = [
  [
    'full',
    'remote: fatal: unable to write loose object file: No space left on device        \nerror: remote unpack failed: unpack-objects abnormal exit',
  ],
  ['read-only', 'error: remote unpack failed: unable to create temporary object directory'],
] as const

test.each(disks)('a push to a repository whose disk is %s is tried again', (_, stderr) => {
  const stdout = '!\trefs/heads/main:refs/heads/main\t[remote rejected] (unpacker error)'
  expect(ownerOf({ attempt: 'push', words: refusalIn({ code: 1, stdout, stderr }) })).toBe('nobody')
})
