/**
 * Ways of a test run to leave something behind for later ones, as commands for a shell. `$slots`, `$data`,
 * `$mirror` and `$canary` are the folders of the server and a folder that has nothing to do with it.
 */

import { join } from 'node:path'

export type Way = {
  readonly name: string
  readonly script: string
  /** Without a namespace it changes this outside of its slot: the same user may. Never a later verdict. */
  readonly reaches?: 'mirror' | 'data' | 'neighbour' | 'canary' | 'logs'
  /** After it the work tree is another one or none, so it is the last of a run. */
  readonly isLast?: true
}

const hide = (flag: string): string => `echo exit 0 > test.sh; git update-index --${flag} test.sh`
const attributes = '* filter=x -text'
/** Run by the server, which is in no run: a program of the run itself may write where its user may. */
const mark = 'test -n "${MERGEYARD_RUN-}" || touch $canary/ran'
const smudge = `{ ${mark}; }; cat`

/** Ways by their names. */
const waysOf = (
  scripts: Readonly<Record<string, string>>,
  more: Pick<Way, 'reaches' | 'isLast'> = {},
): Way[] => Object.entries(scripts).map(([name, script]) => ({ name, script, ...more }))

const ofGit = waysOf({
  'replaces an object':
    'git replace $(git rev-parse HEAD:test.sh) $(echo "exit 0" | git hash-object -w --stdin)',
  'replaces a commit': 'git replace -f HEAD $(git commit-tree HEAD^{tree} -m x)',
  grafts: 'git rev-parse HEAD > .git/info/grafts',
  'is shallow': 'git rev-parse HEAD > .git/shallow',
  'sets a filter': `git config filter.x.smudge '${smudge}'; git config filter.x.clean '${smudge}'; echo "${attributes}" > .git/info/attributes`,
  'sets a filter for the user': `git config --global filter.x.smudge '${smudge}'; mkdir -p "$HOME/.config/git"; echo "${attributes}" > "$HOME/.config/git/attributes"`,
  'hides an edit with skip-worktree': hide('skip-worktree'),
  'hides an edit with assume-unchanged': hide('assume-unchanged'),
  'hides a removal': 'git update-index --skip-worktree a.txt; rm a.txt',
  'adds to the index': 'echo x > new.txt; git add -f new.txt',
  'removes from the index': 'git rm -q --cached a.txt',
  'leaves a merge conflict': 'git update-index --unresolve a.txt; touch .git/MERGE_HEAD',
  'splits the index': 'git update-index --split-index',
  'breaks the index': 'echo broken > .git/index',
  'leaves locks': 'touch .git/index.lock .git/HEAD.lock .git/config.lock',
  'includes a configuration':
    'git config include.path "$HOME/more"; git config -f "$HOME/more" core.bare true',
  'narrows the checkout': 'git sparse-checkout set below',
  'ignores everything': 'echo "*" > .git/info/exclude; echo "*" > .gitignore; touch left.txt',
  'ignores permissions': 'git config core.fileMode false; chmod +x test.sh a.txt',
  'watches files': `git config core.fsmonitor '${mark};'; git config core.untrackedCache true`,
  'sets hooks': `for each in post-checkout post-index-change reference-transaction; do echo '${mark}' > .git/hooks/$each; done; chmod +x .git/hooks/*; git config core.hooksPath .git/hooks`,
  'borrows objects': 'echo "$HOME/objects" >> .git/objects/info/alternates',
  'moves refs':
    'git update-ref refs/heads/main HEAD; git tag -f v1 HEAD; git branch left; git symbolic-ref HEAD refs/heads/left',
  stashes: 'echo x > a.txt; git -c user.name=x -c user.email=x stash -q',
  'adds a work tree': 'git worktree add -q "$HOME/other"',
  'has a submodule': `git config submodule.x.update '!${mark}'; printf '[submodule "x"]\\n path = below\\n url = ./x\\n' > .gitmodules`,
  'makes a repository below': 'git init -q below; git init -q nested; touch nested/left.txt',
  'empties .git': 'rm -rf .git/*',
  'makes a FIFO of .git': 'rm -rf .git; mkfifo .git',
  'deletes .git': 'rm -rf .git',
})

const ofFiles = waysOf({
  'edits a test': 'echo exit 0 > test.sh',
  'keeps size and time of an edit':
    'touch -r test.sh "$HOME/t"; echo "exit 0" > test.sh; touch -r "$HOME/t" test.sh',
  'replaces a file by its copy':
    'cp -p test.sh t; echo "exit 0" > t; touch -r test.sh t; mv t test.sh',
  'links a test twice': 'ln test.sh "$HOME/other"; echo "exit 0" > "$HOME/other"',
  'makes a link of a test': 'echo exit 0 > "$HOME/t"; ln -sf "$HOME/t" test.sh',
  'makes a folder of a file': 'rm a.txt; mkdir -p a.txt/below; touch a.txt/below/x',
  'makes a file of a folder': 'rm -rf below; touch below',
  'changes permissions': 'chmod 600 a.txt; chmod 700 below; chmod +x below/b.txt',
  'sets setuid and sticky bits': 'chmod u+s,g+s a.txt; chmod +t,g+s below',
  'leaves attributes': 'echo "* eol=crlf" > below/.gitattributes; echo "* ident" > .gitattributes',
  'leaves names with other cases': 'echo x > A.TXT; mkdir -p Below; touch Below/b.txt',
  'leaves names with newlines':
    'touch "$(printf "a\\nb")" "$(printf "\\001\\033[2J")"; mkdir "$(printf "d\\n")"',
  'leaves names that are not UTF-8':
    'touch "$(printf "\\303\\050\\377")"; mkdir "$(printf "\\377")"; touch "$(printf "\\377")/x"',
  'leaves composed and decomposed names':
    'touch "$(printf "\\303\\251")" "$(printf "e\\314\\201")"',
  'leaves names like options': 'touch -- -rf --help "-e exit 0"; mkdir -- --force',
  'leaves a deep folder':
    'i=0; while test $i -lt 60; do mkdir long-name-of-a-folder-that-is-deep-$i && cd long-name-of-a-folder-that-is-deep-$i || exit; i=$((i+1)); done; touch x',
  'leaves many files':
    'mkdir many; cd many; i=0; while test $i -lt 300; do : > $i; i=$((i+1)); done',
  'leaves a FIFO': 'mkfifo fifo below/fifo; rm below/c.txt; mkfifo below/c.txt',
  'leaves a socket':
    "node -e \"require('net').createServer().listen('socket', () => process.kill(process.pid, 9))\"",
  'leaves links in a circle': 'ln -s . loop; ln -s two one; ln -s one two',
  'leaves read-only folders':
    'mkdir -p ro/below "$HOME/go/pkg"; touch ro/below/x "$HOME/go/pkg/x"; chmod -R a-w ro "$HOME/go"; chmod 0 ro/below',
  'leaves files of another owner': 'mkdir owned; touch owned/x; chown -R 65534 owned a.txt',
  'leaves a time in the future': 'echo exit 0 > test.sh; touch -d 2038-01-01 test.sh . below',
  'leaves settings at home':
    'echo "prefix=/nowhere" > "$HOME/.npmrc"; echo "exit 0" > "$HOME/.profile"; mkdir -p "$HOME/.ssh" "$HOME/.config"; git config --global core.hooksPath "$HOME"',
  'leaves temporary files':
    'mkdir "$TMPDIR/left"; touch "$TMPDIR/x" "$HOME/tmp/.hidden"; chmod 0 "$TMPDIR"',
  'makes kept files others': 'echo "exit 0" > node_modules/check.sh',
  'keeps size and time of a kept file':
    'touch -r node_modules/check.sh "$HOME/k"; echo "exit 0" > node_modules/check.sh; touch -r "$HOME/k" node_modules/check.sh',
  'links a kept file': 'ln node_modules/check.sh "$HOME/kept"; echo "exit 0" > "$HOME/kept"',
  'adds to kept files':
    'mkdir -p node_modules/.bin; echo "exit 0" > node_modules/.bin/check; touch node_modules/x',
  'makes a link of the kept folder':
    'mv node_modules "$HOME/moved"; ln -s "$HOME/moved" node_modules',
  'makes a kept folder elsewhere': 'mkdir -p below/node_modules; touch below/node_modules/x',
})

const later = 'sleep 1000; echo exit 0 > test.sh'

const ofProcesses = waysOf({
  'goes on in the background': `(${later}) &`,
  'goes on in a session of its own': `setsid sh -c '${later}' &`,
  'ignores signals': `setsid sh -c 'trap "" TERM HUP INT; ${later}' &`,
  'writes without a pause': '(while :; do echo exit 0 > test.sh; done) &',
})

/** After these the work tree is another one or none. */
const lastOfRun = waysOf(
  {
    'moves the work tree': 'git config core.worktree "$canary"',
    'has a configuration of the work tree':
      'git config extensions.worktreeConfig true; git config --worktree core.worktree "$canary"',
    'makes a file of .git': 'rm -rf .git; echo "gitdir: $canary" > .git',
    'makes a link of .git': 'rm -rf .git; ln -s "$canary" .git',
    'makes a link of a folder': 'rm -rf below; ln -s "$canary" below',
    'makes a link of the home': 'rm -rf "$HOME/tmp"; ln -s "$canary" "$HOME/tmp"',
    'links the tree elsewhere': 'cd ..; rm -rf tree; ln -s "$canary" tree',
    'removes its slot': 'cd ..; rm -rf tree home',
  },
  { isLast: true },
)

/** What is outside of the slot: in a namespace it does not exist, or cannot be written. */
const outside: readonly Way[] = [
  ...waysOf({
    'leaves a stamp in its slot':
      'touch "$slots/0/setup" "$slots/0/stamp"; ln -s "$canary" "$slots/0/extra"',
  }),
  ...waysOf(
    {
      'writes beside its slot': 'touch "$HOME/../../stray" ../../stray',
      'writes into the data folder': 'echo x >> "$data/local.json"; echo x >> "$data/server.log"',
    },
    { reaches: 'data' },
  ),
  ...waysOf(
    {
      'writes into the slot of a neighbour': 'echo exit 0 > "$slots/1/tree/test.sh"',
    },
    { reaches: 'neighbour' },
  ),
  ...waysOf(
    {
      'writes into the log of another run': 'echo x >> "$data/queue/runs/first.log"',
    },
    { reaches: 'logs' },
  ),
  ...waysOf(
    {
      'writes into a folder of the user': 'echo x > "$canary/mine.txt"',
    },
    { reaches: 'canary' },
  ),
  ...waysOf(
    {
      'sets a filter in the mirror': `git config -f "$mirror/config" filter.x.smudge '${smudge}'; mkdir -p "$mirror/info"; echo "${attributes}" > "$mirror/info/attributes"`,
      'sets a merge driver in the mirror': `git config -f "$mirror/config" merge.x.driver '{ ${mark}; }; cp %B %A'; mkdir -p "$mirror/info"; echo "* merge=x" > "$mirror/info/attributes"`,
      'sends the mirror elsewhere': 'git config -f "$mirror/config" url./nowhere/.insteadOf /',
      'makes a work tree of the mirror':
        'git config -f "$mirror/config" core.bare false; git config -f "$mirror/config" core.worktree "$canary"',
      'breaks the configuration of the mirror': 'echo "[broken" > "$mirror/config"',
      'sets hooks in the mirror': `mkdir -p "$mirror/hooks"; echo '{ ${mark}; }; exit 1' > "$mirror/hooks/reference-transaction"; chmod +x "$mirror/hooks/reference-transaction"`,
      'replaces an object in the mirror':
        'mkdir -p "$mirror/refs/replace"; git rev-parse HEAD > "$mirror/refs/replace/$(git rev-parse HEAD~1)"',
      'moves branches and tags of the mirror':
        'for each in remotes/origin/main tags/v1 tags/v3; do git --git-dir "$mirror" update-ref refs/mergeyard/$each $(git rev-parse HEAD); done',
      'makes a mirror shallow': 'git rev-parse HEAD > "$mirror/shallow"',
      'borrows objects for the mirror':
        'mkdir -p "$mirror/objects/info"; echo "$HOME" > "$mirror/objects/info/alternates"',
      'locks the mirror':
        'touch "$mirror/packed-refs.lock" "$mirror/config.lock" "$mirror/HEAD.lock" "$mirror/shallow.lock"',
      'names another folder for the mirror':
        'ln -s "$canary" "$mirror/commondir"; echo x > "$mirror/gitdir"',
      'takes the head of the mirror': 'rm "$mirror/HEAD"; ln -s "$canary/mine.txt" "$mirror/HEAD"',
      'removes objects of the mirror': 'find "$mirror/objects" -type f -exec rm -f {} +',
      'empties objects of the mirror':
        'find "$mirror/objects" -type f -exec chmod u+w {} +; for each in $(find "$mirror/objects" -type f); do : > $each; done',
    },
    { reaches: 'mirror' },
  ),
]

export const ways: readonly Way[] = [...ofGit, ...ofFiles, ...ofProcesses, ...lastOfRun, ...outside]

/** The work of a pull request that does these, one after the other, and then ends with a code. */
export function attackOf(chosen: readonly Way[], code: number, data: string): string {
  const scripts = chosen.map(({ script }) => `( ${script}\n) < /dev/null > /dev/null 2>&1`)
  const places = {
    data,
    canary: join(data, '../canary'),
    mirror: join(data, 'mirror.git'),
    slots: join(data, 'queue/slots'),
  }
  const text = [...scripts, `exit ${code}`, ''].join('\n')
  return Object.entries(places).reduce(
    (all, [name, path]) => all.replaceAll(`$${name}`, path),
    text,
  )
}
