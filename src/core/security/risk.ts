import { type Arg, programName } from './args.js'
import type { Inspection } from './programs/index.js'
import { isDoor } from './refused-programs.js'
import type { Risk } from './types.js'

const list = (...names: string[]): ReadonlySet<string> => new Set(names.flatMap((line) => line.split(' ')))

const HIGH = list(
  'rm mkfs dd shutdown reboot halt poweroff sudo su doas pkexec chown chmod chgrp chattr setfacl useradd userdel usermod adduser deluser',
  'groupadd groupdel groupmod passwd chpasswd visudo mount umount swapon swapoff iptables ip6tables nft ufw firewall-cmd curl wget nc ncat',
  'netcat socat scp sftp ssh ssh-copy-id ftp tftp telnet rsh rlogin shred wipefs fdisk parted sfdisk mkswap losetup cryptsetup insmod',
  'modprobe rmmod sysctl systemctl service init telinit kill killall pkill crontab at chroot nsenter unshare eval',
  'del erase rd rmdir format reg regedit net netsh runas icacls cacls takeown attrib powershell pwsh wmic sc schtasks diskpart bcdedit',
  'cipher vssadmin taskkill cmd mshta rundll32 certutil bitsadmin',
)
const MEDIUM = list(
  'touch mkdir mv cp ln tee truncate rename install patch unlink mkfifo mknod rsync tar zip unzip gzip gunzip bzip2 xz kubectl',
)
const ORDER: readonly Risk[] = ['low', 'medium', 'high']

export const maxRisk = (a: Risk, b: Risk): Risk => (ORDER.indexOf(a) < ORDER.indexOf(b) ? b : a)

/** Whether a command's name alone means high risk. */
export function isHigh(name: string): boolean {
  const program = programName(name)
  return HIGH.has(program) || program.startsWith('mkfs.')
}

/** Returns the risk of one command by its name and arguments. */
export function riskOf(name: string, { risk, problem }: Inspection): Risk {
  const program = programName(name)
  if (isHigh(name)) return 'high'
  // If the arguments or the name would be rejected, the command is riskier than its name suggests.
  if (problem !== undefined || isDoor(program)) return risk ?? 'high'
  return maxRisk(risk ?? 'low', MEDIUM.has(program) ? 'medium' : 'low')
}

/** Whether the command is `rm -rf /` or similar. */
export function isRuinous(name: string, args: readonly Arg[]): boolean {
  const program = programName(name)
  if (program !== 'rm' && program !== 'chmod' && program !== 'chown') return false
  if (!args.some(({ text }) => /^(?:-[A-Za-z]*[rR]|--rec)/.test(text))) return false
  return args.some(({ text }) => /^(?:\/+\.?|\/+\*|~\/?|~\/\*)$/.test(text))
}
