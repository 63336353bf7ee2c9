/**
 * A command in namespaces of its own, made with bubblewrap. It sees the system folders, which it cannot
 * change, and its work tree and home; the data folder, the mirror, the homes of users and the processes of
 * the server do not exist for it. The kernel ends all of its processes when the command ends, or when the
 * server does. The network is that of the machine.
 *
 * It needs no terminal to take away (TIOCSTI): a command is the leader of a session without one, and the
 * pseudo terminals of the machine are not in its `/dev`.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { homeIn } from '../terminal/files.ts'
import type { Exit } from './verdict.ts'

const program = 'bwrap'

/** The file to which bubblewrap writes how the command has ended, if it could begin it. */
const statusFile = 3

const unshared = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent']

/** What root may do with files and users. Nothing here reaches behind a mount, another process or the kernel. */
const capabilitiesOfRoot = [
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID', 'NET_BIND_SERVICE'],
].map((name) => `CAP_${name}`)

/** Folders with programs and their settings. Homes, `/var`, `/run`, `/tmp`, `/mnt` and `/srv` are not among them. */
const systemFolders = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/sys'],
  ...['/nix', '/gnu', '/snap'],
  // On openSUSE /etc/ssl leads to it.
  '/var/lib/ca-certificates',
]

/** A folder of PATH with such a name is a part of the installation around it. */
const partsOfInstallations: ReadonlySet<string> = new Set(['bin', 'sbin', 'shims'])

/** What a command in a namespace sees besides the system folders, its work tree and its home. */
export type View = {
  /** Only to read: the objects of the mirror. */
  readonly readOnly: readonly string[]
  /** Paths that the configuration adds, as they are on the machine; those that are missing are left out. */
  readonly bind: readonly string[]
  /** What must not be seen, even if it is in a folder that can be: the data folder, files with secrets. */
  readonly hidden: readonly string[]
}

/** The work tree and the environment, in which HOME is the home of the command. */
export type Inhabitant = {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/** What the configuration says about where commands run. */
export type Surroundings = {
  /** False: no namespaces. Default: those that bubblewrap makes, where it works. */
  readonly bubblewrap?: boolean
  /** Paths that a command sees and uses in its namespaces, besides those of the system. */
  readonly bind?: readonly string[]
  readonly hidden?: readonly string[]
}

let works: boolean | null = null

/** True if bubblewrap is installed, and this user may make namespaces. Tried once. */
export function hasBubblewrap(): boolean {
  works ??= spawnSync(program, [...withSystem(), ...unshared, '--', '/bin/true']).status === 0
  return works
}

/** What a command sees that uses the objects of this mirror; null: it gets no namespace. */
export function viewOf(
  { bubblewrap = true, bind = [], hidden = [] }: Surroundings,
  mirror: string,
): View | null {
  if (!bubblewrap || !hasBubblewrap()) return null
  return { readOnly: [join(mirror, 'objects')], bind, hidden }
}

type Spawned = {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Bubblewrap itself does not get `marked`, the variable by which the processes of a run are found. */
export function inNamespace(
  args: readonly string[],
  { folder, env }: Inhabitant,
  { view, marked }: { readonly view: View; readonly marked: string },
): Spawned {
  const { [marked]: value = '', ...rest } = env
  const mounts = [...withSystem(), ...withinView({ folder, env }, view), '--remount-ro', '/']
  const told = ['--json-status-fd', String(statusFile)]
  const options = [...mounts, ...unshared, ...told, '--chdir', folder, '--setenv', marked, value]
  return { program, args: [...options, '--', ...args], env: rest }
}

/** Bubblewrap tells a signal as a shell does: 128 and its number. `status`: what it wrote of the command. */
export function exitInNamespace({ code, signal }: Exit, status: string): Exit {
  if (signal === null && !status.includes('"exit-code"')) return { code, signal, isUnmade: true }
  const found = Object.entries(constants.signals).find(([, value]) => code === 128 + value)
  return found ? { code: null, signal: found[0] } : { code, signal }
}

function withSystem(): string[] {
  const there = systemFolders.filter((path) => lstatSync(path, { throwIfNoEntry: false }))
  const mounts = there.flatMap((path) =>
    lstatSync(path).isSymbolicLink()
      ? ['--symlink', readlinkSync(path), path]
      : ['--ro-bind', path, path],
  )
  const caps = capabilitiesOfRoot.flatMap((name) => ['--cap-add', name])
  return [
    ...mounts,
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/dev/shm'],
    ...(process.getuid?.() === 0 ? ['--cap-drop', 'ALL', ...caps] : []),
  ]
}

/** Later mounts lie above earlier ones. */
function withinView({ folder, env }: Inhabitant, { readOnly, bind, hidden }: View): string[] {
  const home = env['HOME'] ?? folder
  const temporary = join(home, 'tmp')
  // A system user can live in /opt, with the key that reaches the repository.
  const ownHome = homesOfUser().filter((path) => isWithin(path, '/opt') && existsSync(path))
  const secret = hidden.filter((path) => existsSync(path)).map((path) => realpathSync(path))
  const named = pathsNamedIn(env, secret)
  return [
    ...ownHome.flatMap(covering),
    ...['/tmp', '/var/tmp'].flatMap((path) => ['--bind', temporary, path]),
    ...[...named, ...nameServers()].flatMap((path) => ['--ro-bind', path, path]),
    ...bind.flatMap((path) => ['--dev-bind-try', path, path]),
    ...['--remount-ro', '/dev'],
    ...placesOf(secret, [...systemFolders, ...named, ...bind]).flatMap(covering),
    ...named
      .flatMap((path) => keysOfTools.map((name) => join(path, name)))
      .filter((path) => existsSync(path))
      .flatMap(covering),
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...[folder, home].flatMap((path) => ['--bind', path, path]),
  ]
}

/** Where these paths would be seen below the folders, which can be links. */
function placesOf(secret: readonly string[], folders: readonly string[]): string[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => {
      const real = realpathSync(folder)
      const within = secret.filter((path) => isWithin(path, real))
      return within.map((path) => `${folder}${path.slice(real.length)}`)
    })
}

function covering(path: string): string[] {
  return statSync(path).isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]
}

/**
 * The paths in the variables of a command that are not in a system folder: where its programs are, and what
 * somebody passes on to it. Of a folder of programs it is the installation around it. What would show the
 * home of the user, or something hidden, is left out.
 */
function pathsNamedIn(env: Inhabitant['env'], secret: readonly string[]): string[] {
  const isOpen = (path: string): boolean =>
    existsSync(path) &&
    !systemFolders.some((folder) => isWithin(path, folder)) &&
    !secret.some((each) => isWithin(path, each)) &&
    ![...secret, ...homesOfUser()].some((each) => isWithin(each, realpathSync(path)))
  const named = Object.entries(env).flatMap(([name, value]) => {
    const paths = value.split(':').filter((path) => path.startsWith('/') && isOpen(path))
    return paths.flatMap((path) => {
      const around = dirname(path)
      const isPart = name === 'PATH' && partsOfInstallations.has(basename(path))
      if (!isPart || !isOpen(around)) return path
      return isOfUser(around) ? programsOfUser(path, around).filter(isOpen) : around
    })
  })
  return [...new Set(named)].sort()
}

/** True for `~/.local`: beside programs it has the data of all of them, such as keys, and the data of other servers. */
function isOfUser(folder: string): boolean {
  const places = homesOfUser().map((home) => join(home, '.local'))
  return places.some((path) => existsSync(path) && realpathSync(folder) === realpathSync(path))
}

/** One, or none. */
function homesOfUser(): string[] {
  const home = homeIn(process.env)
  return home === null ? [] : [home]
}

/** What the programs in `~/.local/bin` are made of: libraries beside it, and the folders to which links lead. */
function programsOfUser(bin: string, local: string): string[] {
  const root = realpathSync(local)
  const linked = readdirSync(bin).flatMap((name) => {
    const path = join(bin, name)
    const real = existsSync(path) ? realpathSync(path) : ''
    const [part = '', below] = isWithin(real, root) ? relative(root, real).split(sep) : []
    return part === 'bin' || below === undefined ? [] : join(local, part, below)
  })
  return [bin, join(local, 'lib'), ...linked].filter((path) => existsSync(path))
}

/** Where the tools of an installation keep the tokens of its user: `~/.cargo`, `~/.gem`. */
const keysOfTools = ['credentials', 'credentials.toml']

/** Where names are resolved, if /etc has only a link to it. */
function nameServers(): string[] {
  const path = '/etc/resolv.conf'
  if (!existsSync(path)) return []
  const real = realpathSync(path)
  return systemFolders.some((folder) => isWithin(real, folder)) ? [] : [real]
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}
