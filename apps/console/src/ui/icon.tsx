import SvgIcon, { type SvgIconProps } from '@mui/material/SvgIcon';

/** An icon from its outline. Without `title` it is decoration and stays silent. */
export function Icon({ path, title, ...rest }: { path: string; title?: string } & Omit<SvgIconProps, 'path'>) {
  return (
    <SvgIcon fontSize="small" {...(title === undefined ? { 'aria-hidden': true } : { titleAccess: title })} {...rest}>
      <path d={path} />
    </SvgIcon>
  );
}
