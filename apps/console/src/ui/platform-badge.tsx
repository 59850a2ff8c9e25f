import { mdiImageMultipleOutline, mdiLinkVariant } from '@mdi/js';
import { Icon } from './icon';
import { Tag } from './tag';

const NAMES: Record<string, { label: string; icon: string }> = {
  reddit: { label: 'Reddit', icon: mdiLinkVariant },
  instagram: { label: 'Instagram', icon: mdiImageMultipleOutline },
};

/** Where a post came from: a neutral sign and the word, no foreign brand. */
export function PlatformBadge({ platform }: { platform: string }) {
  const known = NAMES[platform];
  return <Tag icon={<Icon path={known?.icon ?? mdiLinkVariant} sx={{ fontSize: 14 }} />}>{known?.label ?? platform}</Tag>;
}
