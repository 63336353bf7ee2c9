import { sees } from '../auth/caller.ts'
import type * as wire from '../contract/wire.ts'
import { answer, type Operation } from './operation.ts'

/** Lists the repositories on which the server works, as far as the token may see them. */
export const listRepositories: Operation<wire.Nothing, wire.Repositories> = ({
  caller,
  hosting,
}) => {
  const seen = [...hosting.all].filter(({ ref }) => sees(caller, ref))
  return answer({
    repositories: seen.map((hosted) => {
      const { host, owner, name, targetBranch } = hosted.ref
      const { url, lastLookAt, faults } = hosted.status()
      const at = lastLookAt === null ? null : new Date(lastLookAt).toISOString()
      return {
        repo: { host, owner, name },
        targetBranch,
        url,
        testsItself: hosted.testsItself,
        lastLookAt: at,
        faults: [...faults],
      }
    }),
  })
}
