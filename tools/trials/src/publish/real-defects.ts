import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { copySources, type Defect, plantDefect } from '../mutants/mutant';

const POSTER = 'apps/instagram-poster';

/** Defects of the publishing worker, as changes of its sources, each of which the trial with real processes has to find. */
export const REAL_DEFECTS: readonly (Defect & { defect: string })[] = [
  {
    id: 'repeated-call',
    defect: 'the publish call is repeated when its answer is lost',
    file: `${POSTER}/src/post/steps/publish.step.ts`,
    find: 'const answer = await publisher.publish(containerId, assertHeld);',
    replace: `let answer = await publisher.publish(containerId, assertHeld);
    if (answer.outcome === 'unknown') answer = await publisher.publish(containerId);`,
  },
  {
    id: 'absent-at-once',
    defect: 'a post that the account does not show yet gets another container',
    file: `${POSTER}/src/reconcile/steps/resolve-outcome.step.ts`,
    find: 'if (age < absentAfter) return null;',
    replace: `if (container === 'FINISHED') return NOT_OUT;`,
  },
];

/** The publishing worker with this defect; resolves with the folder of its sources and of its bundle. */
export function bundleWith(defect: Defect): string {
  const copy = copySources();
  const file = join(copy, defect.file);
  writeFileSync(file, plantDefect(defect, readFileSync(file, 'utf8')));
  const { status, stderr } = spawnSync(process.execPath, ['tools/local/bundle.mjs', POSTER], {
    cwd: copy,
    encoding: 'utf8',
    env: { PATH: readProcessSettings().path },
  });
  if (status !== 0) throw new Error(`the worker with the defect ${defect.id} was not bundled: ${stderr.slice(-1000)}`);
  return copy;
}
