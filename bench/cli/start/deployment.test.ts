/** What the image, the compose file and the Kubernetes manifest name, the server takes, and it answers where they ask. */

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { start } from '../../../server/testing/test-server.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { parseOptions } from '../../../server/terminal/options.ts'
import { readStartOptions, usage, type StartOptions } from '../../../server/cli/start.ts'

const repository = new URL('../../../../', import.meta.url)
const operating = (name: string): string =>
  readFileSync(new URL(`server/operating/${name}`, repository), 'utf8')

type Compose = {
  readonly services: {
    readonly server: {
      readonly environment: Readonly<Record<string, string>>
      readonly healthcheck: { readonly test: readonly string[] }
    }
    readonly balancer: { readonly command: string; readonly ports: readonly string[] }
  }
}

type Probe = { readonly httpGet: { readonly path: string; readonly port: number } }

type Container = {
  readonly ports: readonly { readonly containerPort: number }[]
  readonly env: readonly { readonly name: string }[]
  readonly startupProbe: Probe
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
}

type Deployment = {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly [Container] } }
  }
}

type Service = {
  readonly spec: { readonly ports: readonly { readonly targetPort: number }[] }
}

const dockerfile = operating('Dockerfile')
const composed: Compose = parse(operating('compose.yml'))
const { server: inCompose, balancer } = composed.services
const [firstManifest = '', secondManifest = ''] = operating('kubernetes.yml').split('\n---\n')
const deployment: Deployment = parse(firstManifest)
const service: Service = parse(secondManifest)
const [inKubernetes] = deployment.spec.template.spec.containers
const probes = [
  inKubernetes.startupProbe,
  inKubernetes.readinessProbe,
  inKubernetes.livenessProbe,
].map(({ httpGet }) => httpGet)

const entrypoint: readonly string[] = JSON.parse(/^ENTRYPOINT (.*)$/mu.exec(dockerfile)?.[1] ?? '')
const [node, program = '', command, ...given] = entrypoint

const optionsWith = (env: NodeJS.ProcessEnv): StartOptions =>
  readStartOptions(parseOptions(usage, given, env), env)

const { server } = optionsWith({})

/** The numbers in these words, of which each is a port. */
const portsIn = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number)

test('the image starts a program that the build makes, for everybody in its network', () => {
  expect([node, command]).toEqual(['node', 'start'])
  expect(existsSync(new URL(program, repository))).toBe(true)
  expect(server.host).toBe('0.0.0.0')
})

test.each([
  ['compose.yml', Object.keys(inCompose.environment)],
  ['kubernetes.yml', inKubernetes.env.map(({ name }) => name)],
])('%s sets the variables of the server, and that of the driver', (_, names) => {
  const known = Object.values(usage.table).flatMap((option) =>
    typeof option !== 'string' && 'variable' in option ? [option.variable] : [],
  )
  expect(names.filter((name) => !known.some((variable) => variable === name))).toEqual([
    'PGPASSWORD',
  ])
  const { store, server: found } = optionsWith(
    Object.fromEntries(names.map((name) => [name, `value-of-${name}`])),
  )
  expect({ store, token: found.token }).toEqual({
    store: 'value-of-MERGEYARD_STORE',
    token: 'value-of-MERGEYARD_TOKEN',
  })
})

test('every port is the one on which the server listens, and the balancer takes what is published', () => {
  const [from, to] = portsIn(balancer.command)
  const [health] = portsIn(inCompose.healthcheck.test.join(' ').replace('127.0.0.1', ''))
  const named = [
    ...portsIn(/^EXPOSE (.*)$/mu.exec(dockerfile)?.[1] ?? ''),
    ...inKubernetes.ports.map(({ containerPort }) => containerPort),
    ...probes.map(({ port }) => port),
    ...service.spec.ports.map(({ targetPort }) => targetPort),
    to,
    health,
  ]
  expect(named).toEqual(Array.from({ length: 8 }, () => server.port))
  expect(balancer.ports.map(portsIn)).toEqual([[from, from]])
})

test('a server that is ready answers every probe, and the health check of compose.yml', async () => {
  const running = await start(temporaryFolder())
  onTestFinished(running.stop)
  const statusOf = async (path: string) => (await fetch(`${running.url}${path}`)).status
  expect(await Promise.all(probes.map(({ path }) => statusOf(path)))).toEqual([200, 200, 200])
  expect(await statusOf('/nowhere')).toBe(404)

  const [kind, checker, ...how] = inCompose.healthcheck.test
  expect([kind, checker]).toEqual(['CMD', 'node'])
  const here = how.map((text) => text.replace(`http://127.0.0.1:${server.port}`, running.url))
  await expect(promisify(execFile)(process.execPath, here)).resolves.toEqual({
    stdout: '',
    stderr: '',
  })
  const elsewhere = here.map((text) => text.replace(/z'/u, "s'"))
  await expect(promisify(execFile)(process.execPath, elsewhere)).rejects.toMatchObject({ code: 1 })
})
