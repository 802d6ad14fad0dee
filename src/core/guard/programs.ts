/** Names of programs that more than one rule knows. */

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** They bring something from the network and print or store it. */
export const fetchers = setOf("curl wget wget2 fetch aria2c axel lynx links w3m http https httpie xh lwp-request lftp ftp tftp");

/** They send what they are given to somewhere else. */
export const senders = setOf(
  "curl wget wget2 nc ncat netcat socat telnet ssh scp sftp rsync ftp lftp tftp http https httpie xh openssl mail mailx mutt sendmail aws gsutil gcloud az rclone s3cmd mc b2 gh glab curlie",
);

/** They ask the name service: a name built from data carries it away. */
export const resolvers = setOf("dig nslookup host drill ping ping6 getent traceroute resolvectl dog");

/** Their script is the one of a shell. */
export const shells = setOf("sh bash zsh dash ksh mksh ash fish rbash yash tcsh csh");

/** They run code given to them as text; see carriers/code.ts. */
export const interpreters = setOf(
  "python python2 python3 pypy pypy3 node nodejs deno bun tsx ts-node perl ruby php lua rscript osascript tclsh awk gawk mawk nawk groovy",
);

/** The row of a table for a name that comes from outside: never a property that every object has. */
export function rowOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
