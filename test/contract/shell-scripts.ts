/**
 * Makes scripts that hide one call of `rm` behind quotes, variables, wrappers and other scripts, at random from a seed. What a script does is not
 * computed here: a real shell runs it, with a program named `rm` that only writes down what it was asked.
 */
export type Random = () => number;

/** The same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const calls: readonly (readonly string[])[] = [
  ["rm", "-rf", "none"],
  ["rm", "-r", "-f", "none"],
  ["rm", "--recursive", "none"],
  ["rm", "none", "-Rf"],
  ["rm", "-f", "none"],
  ["rm", "none"],
  ["rm", "--", "-rf"],
];

/** One script. */
export function makeScript(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let names = 0;
  const fresh = (): string => {
    names += 1;
    return `v${names}`;
  };
  /** What has to stand in front: assignments, functions, files. */
  let front = "";

  const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
  const hexed = (word: string): string => `$'${[...word].map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join("")}'`;

  const spell = (word: string): string => {
    const name = fresh();
    const half = Math.ceil(word.length / 2);
    switch (Math.floor(random() * 12)) {
      case 0:
        return quote(word);
      case 1:
        return `"${word}"`;
      case 2:
        return `\\${word}`;
      case 3:
        return hexed(word);
      case 4:
        front += `${name}=${word}; `;
        return pick([`$${name}`, `"$${name}"`, `\${${name}}`, `"\${${name}:-x}"`]);
      case 5:
        front += `${name}=${word.slice(0, half)}; `;
        return `\${${name}}${word.slice(half)}`;
      case 6:
        front += `${name}=(x ${word}); `;
        return `"\${${name}[1]}"`;
      case 7:
        return `$(echo ${quote(word)})`;
      case 8:
        return `\${${name}:-${word}}`;
      default:
        return word;
    }
  };

  const line = (words: readonly string[]): string => {
    const name = fresh();
    const spelled = words.map(spell);
    switch (Math.floor(random() * 14)) {
      case 0:
        front += `${name}() { "$@"; }; `;
        return `${name} ${spelled.join(" ")}`;
      case 1:
        front += `${name}() { ${spelled[0]} "$@"; }; `;
        return `${name} ${spelled.slice(1).join(" ")}`;
      case 2:
        front += `${name}=(${spelled.join(" ")}); `;
        return `"\${${name}[@]}"`;
      case 3:
        return `command ${spelled.join(" ")}`;
      case 4:
        return `env A=1 ${spelled.join(" ")}`;
      case 5:
        return `timeout 5 ${spelled.join(" ")}`;
      case 6:
        return `nice -n 1 ${spelled.join(" ")}`;
      case 7:
        return `${spelled.slice(1).join(" ")} xargs ${spelled[0]}`.replace(/^(.*) xargs (.*)$/s, "echo $1 | xargs $2");
      case 8:
        return `find . -maxdepth 0 -exec ${spelled.join(" ")} ";"`;
      case 9:
        front += `${name}='${words.join(" ")}'; `;
        return `$${name}`;
      default:
        return spelled.join(" ");
    }
  };

  const wrap = (script: string): string => {
    const name = fresh();
    switch (Math.floor(random() * 26)) {
      case 0:
        return `(${script})`;
      case 1:
        return `{ ${script}; }`;
      case 2:
        return `if true; then ${script}; fi`;
      case 3:
        return `if false; then :; else\n${script}\nfi`;
      case 4:
        return `for ${name} in 1; do ${script}; done`;
      case 5:
        return `while true; do ${script}; break; done`;
      case 6:
        return `case a in (a) ${script} ;; esac`;
      case 7:
        return `${name}() { ${script}; }; ${name}`;
      case 8:
        return `true && ${script}`;
      case 9:
        return `false || ${script}`;
      case 10:
        return `: $(${script})`;
      case 11:
        return `: "\`echo; ${script.includes("`") || script.includes("\\") ? ":" : script}\`"\n${script}`;
      case 12:
        return `cat <(${script}) > /dev/null`;
      case 13:
        return `bash -c ${quote(script)}`;
      case 14:
        return `sh -c ${quote('bash -c "$1"')} _ ${quote(script)}`;
      case 15:
        return `eval ${quote(script)}`;
      case 16:
        return `echo ${quote(script)} | bash`;
      case 17:
        return `printf '%s\\n' ${quote(script)} | bash`;
      case 18:
        return `bash <<'${name}'\n${script}\n${name}`;
      case 19:
        return `source <(cat <<'${name}'\n${script}\n${name}\n)`;
      case 20:
        return `cat > ${name}.sh <<'${name}'\n${script}\n${name}\nbash ${name}.sh`;
      case 21:
        return `(trap ${quote(script)} EXIT)`;
      case 22:
        return `bash <<< ${quote(script)}`;
      case 23:
        return `env bash -ec ${quote(script)}`;
      default:
        return script;
    }
  };

  let script = line(pick(calls));
  const depth = Math.floor(random() * 4);
  for (let level = 0; level < depth; level += 1) {
    // What stands in front belongs to the same shell as what follows: it goes in together.
    script = wrap(`${front}${script}`);
    front = "";
  }
  return `${front}${script}\n`;
}
