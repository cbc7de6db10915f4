"""The numbers of Linux' system calls, and a way to make one."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from typing import Any

#: How seccomp names the machines that there are numbers for.
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
#: The newest call that the table knows of (Linux 6.18). Of what comes later nothing is known.
NEWEST = 469
#: The calls that are refused for some arguments only.
_CONDITIONAL = """
    open 2 -, openat 257 56, openat2 437 437, clone 56 220, clone3 435 435, kill 62 129, tgkill 234 131,
    sched_setaffinity 203 122, prctl 157 167, ioctl 16 29, fcntl 72 25, prlimit64 302 261
"""
#: The calls that are refused: each name, its number on x86_64 and its number on aarch64.
_REFUSED = (
    # Programs and processes.
    """
    execve 59 221, execveat 322 281, fork 57 -, vfork 58 -, ptrace 101 117, process_vm_readv 310 270,
    process_vm_writev 311 271, process_madvise 440 440, process_mrelease 448 448, kcmp 312 272,
    pidfd_open 434 434, pidfd_getfd 438 438, pidfd_send_signal 424 424, tkill 200 130, rt_sigqueueinfo 129 138,
    rt_tgsigqueueinfo 297 240, setsid 112 157, setpgid 109 154, setpriority 141 140, sched_setscheduler 144 119,
    sched_setparam 142 118, sched_setattr 314 274, ioprio_set 251 30, setrlimit 160 164, seccomp 317 277,
    personality 135 92, unshare 272 97, setns 308 268, migrate_pages 256 238, move_pages 279 239, uselib 134 -,
    lsm_set_self_attr 460 460,
    """
    # Sockets and messages between processes.
    """
    socket 41 198, socketpair 53 199, connect 42 203, bind 49 200, listen 50 201, accept 43 202, accept4 288 242,
    sendto 44 206, sendmsg 46 211, sendmmsg 307 269, recvfrom 45 207, recvmsg 47 212, recvmmsg 299 243,
    shmget 29 194, shmat 30 196, shmctl 31 195, msgget 68 186, msgsnd 69 189, msgrcv 70 188, msgctl 71 187,
    semget 64 190, semop 65 193, semtimedop 220 192, semctl 66 191, mq_open 240 180, mq_unlink 241 181,
    """
    # Changes of files and folders.
    """
    creat 85 -, unlink 87 -, unlinkat 263 35, rename 82 -, renameat 264 38, renameat2 316 276, mkdir 83 -,
    mkdirat 258 34, rmdir 84 -, link 86 -, linkat 265 37, symlink 88 -, symlinkat 266 36, mknod 133 -,
    mknodat 259 33, chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -, fchown 93 55,
    lchown 94 -, fchownat 260 54, truncate 76 45, ftruncate 77 46, fallocate 285 47, utime 132 -, utimes 235 -,
    utimensat 280 88, futimesat 261 -, setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, removexattr 197 14,
    lremovexattr 198 15, fremovexattr 199 16, setxattrat 463 463, removexattrat 466 466, file_setattr 469 469,
    flock 73 32, sync 162 81, syncfs 306 267,
    """
    # Other ways to files.
    """
    open_by_handle_at 304 265, name_to_handle_at 303 264, memfd_create 319 279, memfd_secret 447 447,
    splice 275 76, vmsplice 278 75, tee 276 77, sendfile 40 71, copy_file_range 326 285, io_uring_setup 425 425,
    io_uring_enter 426 426, io_uring_register 427 427, io_setup 206 0, io_submit 209 2, fanotify_init 300 262,
    inotify_init 253 -, inotify_init1 294 26, inotify_add_watch 254 27, userfaultfd 323 282,
    """
    # Users, mounts and the machine.
    """
    setuid 105 146, setgid 106 144, setreuid 113 145, setregid 114 143, setresuid 117 147, setresgid 119 149,
    setgroups 116 159, setfsuid 122 151, setfsgid 123 152, capset 126 91, chroot 161 51, pivot_root 155 41,
    mount 165 40, umount2 166 39, open_tree 428 428, open_tree_attr 467 467, move_mount 429 429, fsopen 430 430,
    fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442, quotactl 179 60,
    quotactl_fd 443 443, acct 163 89, swapon 167 224, swapoff 168 225, reboot 169 142, kexec_load 246 104,
    kexec_file_load 320 294, init_module 175 105, finit_module 313 273, delete_module 176 106, bpf 321 280,
    perf_event_open 298 241, keyctl 250 219, add_key 248 217, request_key 249 218, syslog 103 116, vhangup 153 58,
    iopl 172 -, ioperm 173 -, modify_ldt 154 -, lookup_dcookie 212 18, sethostname 170 161, setdomainname 171 162,
    settimeofday 164 170, clock_settime 227 112, adjtimex 159 171, clock_adjtime 305 266,
    """
    # Clocks that send signals.
    """
    timer_create 222 107, setitimer 38 103, alarm 37 -,
    """
)


def _rows(text: str) -> dict[str, dict[str, int]]:
    """By name: the numbers that a call has on the machines."""
    rows = (row.split() for row in text.split(",") if row.strip())
    return {
        name: {
            machine: int(number)
            for machine, number in zip(ARCHITECTURES, numbers, strict=True)
            if number != "-"
        }
        for name, *numbers in rows
    }


REFUSED = _rows("".join(_REFUSED))
_CONDITIONAL_ROWS = _rows(_CONDITIONAL)
WITH_CONDITIONS = _CONDITIONAL_ROWS.keys()


def machine() -> str:
    """The kind of this machine.

    Raises:
        OSError: there are no numbers for it.
    """
    if platform.machine() not in ARCHITECTURES or sys.maxsize < 1 << 32:
        raise OSError(f"seccomp: there is no list of system calls for {platform.machine()}")
    return platform.machine()


def number_of(name: str, architecture: str | None = None) -> Any:
    """The number of a call on a machine; None if it has no such call."""
    return {**REFUSED, **_CONDITIONAL_ROWS}[name].get(architecture or machine())


def call(what: str, number: int, *arguments: Any) -> int:
    """Make a system call; `what` names it in errors.

    Raises:
        OSError: the kernel refuses it.
    """
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    # Integers as long ones: the function takes whole registers.
    whole = (ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments)
    result: int = library.syscall(ctypes.c_long(number), *whole)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result
