/**
 * Trims Gitea's Swagger document to the operations that `server/gitea` uses, for its fake, and writes it in the
 * form of OpenAPI 3: `node .ci/trim-gitea.mjs <swagger.v1.json of Gitea> [<that of Forgejo>]`. With the second
 * one it says in what Forgejo differs there. Texts and examples are removed.
 */

import { readFileSync, writeFileSync } from 'node:fs'

const repo = '/repos/{owner}/{repo}'

const wanted = {
  '/user': ['get'],
  [repo]: ['get'],
  [`${repo}/pulls`]: ['get', 'post'],
  [`${repo}/pulls/{index}`]: ['get', 'patch'],
  [`${repo}/pulls/{index}/merge`]: ['post'],
  [`${repo}/pulls/{index}/reviews`]: ['get'],
  [`${repo}/commits/{ref}/statuses`]: ['get'],
  [`${repo}/statuses/{sha}`]: ['post'],
  [`${repo}/issues/comments`]: ['get'],
  [`${repo}/issues/comments/{id}`]: ['patch'],
  [`${repo}/issues/comments/{id}/reactions`]: ['post'],
  [`${repo}/issues/{index}/comments`]: ['get', 'post'],
  [`${repo}/issues/{index}/labels`]: ['post'],
  [`${repo}/issues/{index}/labels/{id}`]: ['delete'],
  [`${repo}/labels`]: ['get', 'post'],
  [`${repo}/branches/{branch}`]: ['get'],
  [`${repo}/branch_protections/{name}`]: ['get'],
  [`${repo}/collaborators/{collaborator}/permission`]: ['get'],
}

/** Forgejo's name for a path of Gitea. */
const names = {
  [`${repo}/issues/{index}/labels/{id}`]: `${repo}/issues/{index}/labels/{identifier}`,
}

const [giteaPath = '', forgejoPath] = process.argv.slice(2)
const gitea = JSON.parse(readFileSync(giteaPath, 'utf8'))

/** The shape of a schema, without texts; `note` is called with each definition it refers to. */
function shapeOf(schema, note) {
  const { $ref: ref, type, format, enum: choices, items, properties, required } = schema
  if (ref) {
    const name = ref.split('/').at(-1)
    note(name)
    return { $ref: `#/components/schemas/${name}` }
  }
  return {
    ...(type ? { type } : {}),
    ...(format ? { format } : {}),
    ...(choices ? { enum: choices } : {}),
    ...(items ? { items: shapeOf(items, note) } : {}),
    ...(required ? { required } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, shapeOf(each, note)]),
          ),
        }
      : {}),
  }
}

function operationOf(document, { parameters = [], responses }, note) {
  const body = parameters.find((each) => each.in === 'body')
  const others = parameters.filter((each) => each.in !== 'body')
  const content = (schema) => ({ 'application/json': { schema: shapeOf(schema, note) } })
  return {
    parameters: others.map(({ name, in: where, required, ...schema }) => ({
      name,
      in: where,
      ...(required ? { required } : {}),
      schema: shapeOf(schema, note),
    })),
    ...(body ? { requestBody: { content: content(body.schema) } } : {}),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, { $ref: ref, schema: own }]) => {
        const schema = ref ? document.responses[ref.split('/').at(-1)].schema : own
        return [status, schema ? { content: content(schema) } : {}]
      }),
    ),
  }
}

const pending = new Set()
const note = (name) => pending.add(name)
const paths = Object.fromEntries(
  Object.entries(wanted).map(([path, methods]) => {
    const item = gitea.paths[path]
    const made = methods.map((method) => [method, operationOf(gitea, item[method], note)])
    return [path, Object.fromEntries(made)]
  }),
)
// A set also gives what is added while it is walked.
const schemas = {}
for (const name of pending) schemas[name] = shapeOf(gitea.definitions[name], note)

const trimmed = {
  openapi: '3.0.0',
  info: { title: 'Gitea API, trimmed', version: gitea.info.version, license: gitea.info.license },
  paths,
  components: { schemas },
}
writeFileSync('server/gitea/testing/openapi.json', `${JSON.stringify(trimmed, null, 2)}\n`)

if (forgejoPath) {
  const forgejo = JSON.parse(readFileSync(forgejoPath, 'utf8'))
  console.log(`beside Forgejo ${forgejo.info.version}:`)
  for (const [path, methods] of Object.entries(wanted)) {
    for (const method of methods) compare(forgejo, path, method)
  }
}

function compare(forgejo, path, method) {
  const theirs = forgejo.paths[path]?.[method] ?? forgejo.paths[names[path]]?.[method]
  if (!theirs) return console.log(`${method} ${path}: missing`)
  const queryOf = ({ parameters = [] }) =>
    parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  const ours = queryOf(gitea.paths[path][method])
  const missing = ours.filter((name) => !queryOf(theirs).includes(name))
  if (missing.length > 0) console.log(`${method} ${path}: no parameter ${missing.join(', ')}`)
}
