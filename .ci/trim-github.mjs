/**
 * Trims GitHub's OpenAPI document to the operations that `server/github` and `sim import` use, for its fake:
 * `node .ci/trim-github.mjs <generated/api.github.com.json of the package @octokit/openapi>`. The
 * package is too large to be a dependency. Texts and examples are removed.
 */

import { readFileSync, writeFileSync } from 'node:fs'

const repo = '/repos/{owner}/{repo}'

const wanted = {
  '/user': ['get'],
  '/rate_limit': ['get'],
  '/app': ['get'],
  '/apps/{app_slug}': ['get'],
  '/app/installations/{installation_id}/access_tokens': ['post'],
  [repo]: ['get'],
  [`${repo}/installation`]: ['get'],
  [`${repo}/activity`]: ['get'],
  [`${repo}/pulls`]: ['get', 'post'],
  [`${repo}/pulls/{pull_number}`]: ['get', 'patch'],
  [`${repo}/pulls/{pull_number}/merge`]: ['put'],
  [`${repo}/pulls/{pull_number}/merge-async`]: ['put'],
  [`${repo}/pulls/{pull_number}/merge-async/{uuid}`]: ['get'],
  [`${repo}/pulls/{pull_number}/files`]: ['get'],
  [`${repo}/commits/{ref}/check-runs`]: ['get'],
  [`${repo}/commits/{ref}/statuses`]: ['get'],
  [`${repo}/statuses/{sha}`]: ['post'],
  [`${repo}/actions/runs`]: ['get'],
  [`${repo}/actions/runs/{run_id}/cancel`]: ['post'],
  [`${repo}/actions/runs/{run_id}/attempts/{attempt_number}`]: ['get'],
  [`${repo}/issues/comments`]: ['get'],
  [`${repo}/issues/comments/{comment_id}`]: ['patch'],
  [`${repo}/issues/comments/{comment_id}/reactions`]: ['post'],
  [`${repo}/issues/{issue_number}/comments`]: ['get', 'post'],
  [`${repo}/issues/{issue_number}/timeline`]: ['get'],
  [`${repo}/labels`]: ['post'],
  [`${repo}/issues/{issue_number}/labels`]: ['post'],
  [`${repo}/issues/{issue_number}/labels/{name}`]: ['delete'],
  [`${repo}/branches/{branch}/protection`]: ['get'],
  [`${repo}/rules/branches/{branch}`]: ['get'],
  [`${repo}/collaborators/{username}/permission`]: ['get'],
}

const noise = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'title',
  'x-github',
  'x-github-breaking-changes',
  'headers',
  'callbacks',
])

const document = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const kept = new Map()

/** Copies a part of the document without texts. In `properties` every name is kept. */
function cleaned(part, isNames = false) {
  if (Array.isArray(part)) return part.map((each) => cleaned(each))
  if (typeof part !== 'object' || part === null) return part
  if (typeof part.$ref === 'string') keep(part.$ref)
  const entries = Object.entries(part).filter(([name]) => isNames || !noise.has(name))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, cleaned(value, name === 'properties' && !isNames)]),
  )
}

function keep(ref) {
  if (kept.has(ref)) return
  kept.set(ref, null)
  const path = ref.slice(2).split('/')
  kept.set(ref, cleaned(path.reduce((at, name) => at[name], document)))
}

const paths = Object.fromEntries(
  Object.entries(wanted).map(([path, methods]) => {
    const item = document.paths[path]
    return [path, Object.fromEntries(methods.map((method) => [method, cleaned(item[method])]))]
  }),
)
// The document calls it an instant, and says in words that it is a range of them.
const created = kept.get('#/components/parameters/created')
if (created) created.schema = { type: 'string' }
const components = {}
for (const [ref, part] of [...kept].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const [, , kind, name] = ref.split('/')
  components[kind] = { ...components[kind], [name]: part }
}
const info = {
  title: `${document.info.title}, trimmed`,
  version: document.info.version,
  license: document.info.license,
}
/** One path or component a line, so that a change of version can be read. */
function lines(part) {
  const each = Object.entries(part).map(([name, value]) => {
    return `${JSON.stringify(name)}: ${JSON.stringify(value)}`
  })
  return `{\n${each.join(',\n')}\n}`
}

const parts = Object.entries(components).map(([kind, part]) => `"${kind}": ${lines(part)}`)
const text = [
  `"openapi": ${JSON.stringify(document.openapi)}`,
  `"info": ${JSON.stringify(info)}`,
  `"paths": ${lines(paths)}`,
  `"components": {\n${parts.join(',\n')}\n}`,
].join(',\n')
const out = new URL('../server/github/testing/openapi.json', import.meta.url)
writeFileSync(out, `{\n${text}\n}\n`)
