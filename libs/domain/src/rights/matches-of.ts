import { pictureMatch } from './picture-match';
import { type FilePrints, isFrame, isUsable, type Preview, queryPrints } from './prints';
import { DEFAULT_RIGHTS_THRESHOLDS, ORDER, type PrintHit, type RightsMatch, type RightsThresholds, workOf } from './rights-match';
import { commonFrames, VideoMatch } from './video-match';

/** For each work and file of ours: how much of one is in the other, and the decision that it supports. */
export function matchesOf(
  files: readonly FilePrints[],
  hits: readonly PrintHit[],
  previewOf: (hit: PrintHit) => Preview | null,
  thresholds: RightsThresholds = DEFAULT_RIGHTS_THRESHOLDS,
): RightsMatch[] {
  const searched = queryPrints(files);
  const groups = new Map<string, { file: number; hits: PrintHit[] }>();
  for (const hit of hits) {
    const file = hit.ours === null ? files.findIndex(({ sha256 }) => sha256 === hit.sha256) : (searched[hit.ours]?.file ?? -1);
    if (file < 0) continue;
    const key = `${hit.kind} ${hit.id} ${file}`;
    const group = groups.get(key) ?? { file, hits: [] };
    group.hits.push(hit);
    groups.set(key, group);
  }
  const videos: VideoMatch[] = [];
  const matches: RightsMatch[] = [];
  for (const { file, hits: group } of groups.values()) {
    const [first] = group;
    const prints = files[file];
    if (first === undefined || prints === undefined) continue;
    const exact = group.find(({ ours }) => ours === null);
    if (exact) matches.push(identicalFile(exact, file, prints));
    else if (prints.pdq.some(isFrame)) videos.push(new VideoMatch(file, prints, group, searched, thresholds));
    else matches.push(pictureMatch(file, prints, group, searched, { previewOf, thresholds }));
  }
  const common = commonFrames(videos);
  matches.push(...videos.flatMap((video) => video.match(common) ?? []));
  return matches.sort((a, b) => ORDER[a.strength] - ORDER[b.strength] || a.distance - b.distance || (a.id < b.id ? -1 : 1));
}

function identicalFile(hit: PrintHit, file: number, prints: FilePrints): RightsMatch {
  const compared = Math.max(1, new Set(prints.pdq.filter(isUsable).map(({ atSeconds }) => atSeconds)).size);
  const shares = { shareOfOurs: 1, shareOfTheirs: 1, matched: compared, compared };
  const nearest = { theirFile: hit.their?.file ?? 0, ours: null, theirs: null };
  const evidence = { views: ['full', 'full'] as const, segment: null, comparison: null, nearest, onlyShared: false };
  return { ...workOf(hit), by: 'sha256', file, strength: 'block', distance: 0, ...shares, ...evidence };
}
