import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantDefect } from '../mutants/mutant';
import { REAL_DEFECTS } from './real-defects';

const ROOT = join(__dirname, '../../../..');

it.each(REAL_DEFECTS.map((defect) => [defect.id, defect] as const))('the defect %s fits the sources', (_id, defect) => {
  const source = readFileSync(join(ROOT, defect.file), 'utf8');
  expect(plantDefect(defect, source)).not.toBe(source);
});
