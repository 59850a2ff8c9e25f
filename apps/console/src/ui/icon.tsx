import SvgIcon, { type SvgIconProps } from '@mui/material/SvgIcon';

/** Without `title` the icon is hidden from screen readers. */
export function Icon({ path, title, ...rest }: { path: string; title?: string } & Omit<SvgIconProps, 'path'>) {
  return (
    <SvgIcon fontSize="small" {...(title === undefined ? { 'aria-hidden': true } : { titleAccess: title })} {...rest}>
      <path d={path} />
    </SvgIcon>
  );
}
