import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run images [-- --tag TAG] [-- --only node|media]`: builds autoposter/node and autoposter/media, default tag `local`. */
const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.dirname(HERE);
const KINDS = ['node', 'media'];

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);

function main() {
  const differs = differingPrefix();
  if (differs !== null) return stop(`node.Dockerfile and media.Dockerfile do not share their build any more (line ${differs}).`);
  const engine = spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { encoding: 'utf8' });
  if (engine.error) return stop('Building images requires the docker command.');
  if (engine.status !== 0) return stop(`The container engine does not answer: ${engine.stderr.trim()}`);
  const only = option('--only');
  for (const kind of KINDS.filter((one) => only === undefined || one === only)) {
    const image = `autoposter/${kind}:${option('--tag') ?? 'local'}`;
    const startedAt = Date.now();
    const built = spawnSync('docker', ['build', '--file', `docker/${kind}.Dockerfile`, '--tag', image, ...buildArguments(kind), '.'], {
      cwd: ROOT,
      env: { ...process.env, DOCKER_BUILDKIT: '1' },
      stdio: 'inherit',
    });
    if (built.status !== 0) return stop(`${image} was not built.`);
    process.stdout.write(`${image}  ${megabytes(image)} MB  (${Math.round((Date.now() - startedAt) / 1000)} s)\n`);
  }
  return 0;
}

/** The build arguments of images.env that this Dockerfile declares; engines warn about others. The environment overrides the file. */
function buildArguments(kind) {
  const declared = new Set([...dockerfile(kind).matchAll(/^ARG (\w+)/gm)].map(([, name]) => name));
  return fs
    .readFileSync(path.join(HERE, 'images.env'), 'utf8')
    .split('\n')
    .map((line) => /^(\w+)=(.*)$/.exec(line))
    .filter((match) => match !== null && declared.has(match[1]))
    .flatMap(([, name, value]) => ['--build-arg', `${name}=${process.env[name] || value}`]);
}

const dockerfile = (kind) => fs.readFileSync(path.join(HERE, `${kind}.Dockerfile`), 'utf8');

/** The number of the first line in which the shared parts differ; `null` if they are equal. */
function differingPrefix() {
  const [first, second] = KINDS.map((kind) => /# ── identical[^]*# ── end/.exec(dockerfile(kind))?.[0].split('\n') ?? []);
  if (first.length === 0) return 1;
  const at = first.findIndex((line, index) => line !== second[index]);
  if (at !== -1) return at + 1;
  return first.length === second.length ? null : first.length;
}

function megabytes(image) {
  const { stdout } = spawnSync('docker', ['image', 'inspect', '--format', '{{.Size}}', image], { encoding: 'utf8' });
  return Math.round(Number(stdout) / 1e6);
}

function stop(why) {
  process.stderr.write(`${why}\n`);
  return 1;
}

process.exitCode = main();
