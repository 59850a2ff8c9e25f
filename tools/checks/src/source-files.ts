import fs from 'node:fs';
import path from 'node:path';

export interface SourceFile {
  /** From the root of the workspace, with forward slashes. */
  path: string;
  text: string;
}

const FOLDERS = ['apps', 'libs', 'tools', 'docker', 'charts', 'k8s'];
const SOURCE = /\.(ts|tsx|mts|cts|mjs|cjs|js)$/;
const LEFT_OUT = new Set(['node_modules', 'dist', 'coverage']);

/** Every source file of the workspace, code and tests. */
export function readSources(root: string): SourceFile[] {
  return FOLDERS.flatMap((folder) => walk(root, folder)).map((file) => ({
    path: file,
    text: fs.readFileSync(path.join(root, file), 'utf8'),
  }));
}

function walk(root: string, folder: string): string[] {
  const full = path.join(root, folder);
  if (!fs.existsSync(full)) return [];
  return fs.readdirSync(full, { withFileTypes: true }).flatMap((entry) => {
    const place = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : walk(root, place);
    return entry.isFile() && SOURCE.test(entry.name) ? [place] : [];
  });
}

export const isTest = (file: string): boolean => /\.(spec|contract)\.tsx?$/.test(file) || /\/testing\//.test(file);
