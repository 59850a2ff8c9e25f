import type { Download } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Fragment, type ReactNode } from 'react';
import { count, megabytes, formatDateTime } from '../../../ui/format';
import { STANDALONE_LINK } from '../../../theme/tokens';

const PERCENT = 100;

type Fact = [name: string, value: ReactNode];

function factsOf(item: Download): Fact[] {
  const facts: Fact[] = [
    ['Platform', item.platform],
    ['Type', item.postType],
  ];
  if (item.author !== null) facts.push(['Author', item.author]);
  if (item.redditData !== null) {
    const ratio = item.redditData.upvoteRatio;
    facts.push(['Score', `${count(item.redditData.score)}${ratio === null ? '' : ` (${Math.round(ratio * PERCENT)}% upvoted)`}`]);
  }
  if (item.instagramData?.likes !== null && item.instagramData !== null) facts.push(['Likes', count(item.instagramData.likes ?? 0)]);
  const file = item.fileInfo;
  if (file !== null) {
    facts.push(['File', `${file.fileName}, ${megabytes(file.fileSize)}`]);
    if (file.dimensions !== null) facts.push(['Size', `${file.dimensions.width} × ${file.dimensions.height}`]);
    facts.push(['Storage', file.storageType === 'cdn' ? 'CDN' : 'Local']);
    if (file.cdnUrl !== null) {
      facts.push([
        'CDN',
        <Link key="cdn" href={file.cdnUrl} target="_blank" rel="noreferrer" sx={STANDALONE_LINK}>
          Open file
        </Link>,
      ]);
    }
  }
  facts.push(['Created', formatDateTime(item.createdAt)]);
  return facts;
}

/** What is known about a post and its file, in one quiet line that wraps. */
export function DownloadFacts({ item }: { item: Download }) {
  return (
    <Box
      component="dl"
      className="tabular"
      sx={{
        m: 0,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'baseline',
        columnGap: 4,
        rowGap: 1,
        fontSize: 12,
        '& dt': { color: 'text.secondary', whiteSpace: 'nowrap' },
        '& dd': { m: 0 },
      }}
    >
      {factsOf(item).map(([name, value]) => (
        <Fragment key={name}>
          <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1.5, minWidth: 0, overflowWrap: 'anywhere' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Box>
        </Fragment>
      ))}
    </Box>
  );
}
